package otlptest_test

import (
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/otlptest/otlptest/otlptest"
)

// reflected is a stream of questions to the reflection of a server.
func reflected(t *testing.T) (ask func(*reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse) {
	t.Helper()
	stream, err := reflectionpb.NewServerReflectionClient(dial(t, otlptest.Start(t))).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return func(req *reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse {
		t.Helper()
		if err := stream.Send(req); err != nil {
			t.Fatal(err)
		}
		res, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(res.OriginalRequest, req) {
			t.Errorf("got an answer to %v, want one to %v", res.OriginalRequest, req)
		}
		return res
	}
}

func bySymbol(name string) *reflectionpb.ServerReflectionRequest {
	return &reflectionpb.ServerReflectionRequest{Host: "host", MessageRequest: &reflectionpb.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: name}}
}

func byPath(path string) *reflectionpb.ServerReflectionRequest {
	return &reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_FileByFilename{FileByFilename: path}}
}

// filesIn builds the files of an answer, which must be all that they import.
func filesIn(t *testing.T, res *reflectionpb.ServerReflectionResponse) (first protoreflect.FileDescriptor) {
	t.Helper()
	set := new(descriptorpb.FileDescriptorSet)
	for _, raw := range res.GetFileDescriptorResponse().GetFileDescriptorProto() {
		f := new(descriptorpb.FileDescriptorProto)
		if err := proto.Unmarshal(raw, f); err != nil {
			t.Fatal(err)
		}
		set.File = append(set.File, f)
	}
	if len(set.File) == 0 {
		t.Fatalf("got %v, want files", res)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		t.Fatal(err)
	}
	first, err = files.FindFileByPath(set.File[0].GetName())
	if err != nil {
		t.Fatal(err)
	}
	return first
}

func TestReflectionListsTheServices(t *testing.T) {
	res := reflected(t)(&reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{}})
	var got []string
	for _, s := range res.GetListServicesResponse().GetService() {
		got = append(got, s.Name)
	}
	want := []string{
		"grpc.health.v1.Health",
		"grpc.reflection.v1.ServerReflection",
		"opentelemetry.proto.collector.logs.v1.LogsService",
		"opentelemetry.proto.collector.metrics.v1.MetricsService",
		"opentelemetry.proto.collector.trace.v1.TraceService",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got services %q, want %q", got, want)
	}
}

func TestReflectionDescribesTheServices(t *testing.T) {
	ask := reflected(t)
	for _, tt := range []struct{ pkg, kind, field, data, rejected string }{
		{"trace", "Trace", "resource_spans", "ResourceSpans", "rejected_spans"},
		{"metrics", "Metrics", "resource_metrics", "ResourceMetrics", "rejected_data_points"},
		{"logs", "Logs", "resource_logs", "ResourceLogs", "rejected_log_records"},
	} {
		pkg := "opentelemetry.proto.collector." + tt.pkg + ".v1."
		f := filesIn(t, ask(bySymbol(pkg+tt.kind+"Service")))
		service := f.Services().ByName(protoreflect.Name(tt.kind + "Service"))
		if service == nil {
			t.Fatalf("there is no %sService in %s", tt.kind, f.Path())
		}
		export := service.Methods().ByName("Export")
		data := export.Input().Fields().ByNumber(1)
		if string(data.Name()) != tt.field || !data.IsList() || string(data.Message().FullName()) != "opentelemetry.proto."+tt.pkg+".v1."+tt.data {
			t.Errorf("got %v as the request of %s, want a list %s of %s", data, service.FullName(), tt.field, tt.data)
		}
		if data.Message().IsPlaceholder() {
			t.Errorf("%s is not defined", data.Message().FullName())
		}
		partial := export.Output().Fields().ByName("partial_success")
		if partial.Number() != 1 || partial.IsList() {
			t.Errorf("got %v, want field 1", partial)
		}
		rejected, message := partial.Message().Fields().ByNumber(1), partial.Message().Fields().ByNumber(2)
		if string(rejected.Name()) != tt.rejected || rejected.Kind() != protoreflect.Int64Kind {
			t.Errorf("got %v, want %s, an int64", rejected, tt.rejected)
		}
		if message.Name() != "error_message" || message.Kind() != protoreflect.StringKind {
			t.Errorf("got %v, want error_message, a string", message)
		}
		for _, own := range []string{
			"Export" + tt.kind + "ServiceRequest." + tt.field, "Export" + tt.kind + "ServiceResponse.partial_success",
			"Export" + tt.kind + "PartialSuccess." + tt.rejected, "Export" + tt.kind + "PartialSuccess.error_message",
			"Export" + tt.kind + "ServiceRequest", "Export" + tt.kind + "ServiceResponse", "Export" + tt.kind + "PartialSuccess", tt.kind + "Service.Export",
		} {
			if got := filesIn(t, ask(bySymbol(pkg+own))).Path(); got != f.Path() {
				t.Errorf("got %s for %s, want %s", got, own, f.Path())
			}
		}
		if got := filesIn(t, ask(byPath(f.Path()))).FullName(); got != f.FullName() {
			t.Errorf("got package %s for %s, want %s", got, f.Path(), f.FullName())
		}
	}
}

// What is linked comes as it is.
func TestReflectionDescribesWhatIsLinked(t *testing.T) {
	ask := reflected(t)
	for _, name := range []protoreflect.FullName{
		"grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection.ServerReflectionInfo",
		"opentelemetry.proto.common.v1.KeyValue", "opentelemetry.proto.resource.v1.Resource", "opentelemetry.proto.trace.v1.Span.Event",
		"google.rpc.RetryInfo", "google.rpc.Status", "google.rpc.BadRequest", "google.protobuf.Any", "google.protobuf.Duration", // of errors
		"opentelemetry.proto.metrics.v1.Histogram", "opentelemetry.proto.logs.v1.LogRecord.body",
	} {
		want, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
		if err != nil {
			t.Fatal(err)
		}
		got := protodesc.ToFileDescriptorProto(filesIn(t, ask(bySymbol(string(name)))))
		if !proto.Equal(got, protodesc.ToFileDescriptorProto(want.ParentFile())) {
			t.Errorf("got %v for %s, want the file that is linked", got, name)
		}
	}
}

func TestReflectionSaysWhatItDoesNotKnow(t *testing.T) {
	ask := reflected(t)
	for _, tt := range []struct {
		req  *reflectionpb.ServerReflectionRequest
		want codes.Code
	}{
		{bySymbol(""), codes.NotFound},
		{bySymbol("TraceService"), codes.NotFound}, // it has a package
		{bySymbol("opentelemetry.proto.collector.trace.v1.Nothing"), codes.NotFound},
		{bySymbol("google.protobuf.FileDescriptorProto"), codes.NotFound}, // linked by this test, and no service needs it
		{byPath("nothing.proto"), codes.NotFound},
		{&reflectionpb.ServerReflectionRequest{}, codes.InvalidArgument},
		{&reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_AllExtensionNumbersOfType{}}, codes.Unimplemented},
	} {
		if got := codes.Code(ask(tt.req).GetErrorResponse().GetErrorCode()); got != tt.want {
			t.Errorf("got %s for %v, want %s", got, tt.req, tt.want)
		}
	}
}
