package receiver

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"sync"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/otlptest/otlptest/query"
)

// file is a file that defines messages or services.
type file struct {
	raw     []byte // a google.protobuf.FileDescriptorProto
	imports []string
}

// defined is a message of generated code, which has its file compressed.
type defined interface {
	Descriptor() (gzipped []byte, index []int)
	ProtoReflect() protoreflect.Message
}

// files is what the services are defined by, by path.
var files = sync.OnceValue(func() map[string]file {
	all := map[string]file{}
	for _, m := range []defined{
		(*commonpb.AnyValue)(nil), (*resourcepb.Resource)(nil),
		(*tracepb.Span)(nil), (*metricspb.Metric)(nil), (*logspb.LogRecord)(nil),
		(*healthpb.HealthCheckRequest)(nil), (*reflectionpb.ServerReflectionRequest)(nil),
		// What an error's details are, and how.
		(*statuspb.Status)(nil), (*errdetails.RetryInfo)(nil), (*anypb.Any)(nil), (*durationpb.Duration)(nil),
	} {
		gzipped, _ := m.Descriptor()
		d := m.ProtoReflect().Descriptor().ParentFile()
		f := file{raw: gunzip(gzipped)}
		for i := range d.Imports().Len() {
			f.imports = append(f.imports, d.Imports().Get(i).Path())
		}
		all[d.Path()] = f
	}
	for _, d := range definitions {
		all[d.path()] = d.file()
	}
	return all
})

func gunzip(b []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		b, err = io.ReadAll(r)
	}
	if err != nil { // generated code is wrong
		panic(fmt.Sprintf("read a file descriptor: %v", err))
	}
	return b
}

// pathOf is the path of the file that defines a name, and empty where none
// does.
func pathOf(name string) string {
	for _, d := range definitions {
		if d.defines(name) {
			return d.path()
		}
	}
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		return ""
	}
	return d.ParentFile().Path()
}

// definition is what the file of a signal's service has of its own, such as
// opentelemetry/proto/collector/trace/v1/trace_service.proto. The generated
// code of these files is not linked, since it would bring a gateway along.
type definition struct {
	kind     string // Trace
	data     string // what a request holds, as ResourceSpans
	field    string // its field, as resource_spans
	rejected string // the field of a partial success, as rejected_spans
}

// definitions is those of all signals.
var definitions = map[query.Signal]definition{
	query.Traces:  {"Trace", "ResourceSpans", "resource_spans", "rejected_spans"},
	query.Metrics: {"Metrics", "ResourceMetrics", "resource_metrics", "rejected_data_points"},
	query.Logs:    {"Logs", "ResourceLogs", "resource_logs", "rejected_log_records"},
}

func (d definition) dir() string { return strings.ToLower(d.kind) }
func (d definition) path() string {
	return "opentelemetry/proto/collector/" + d.dir() + "/v1/" + d.dir() + "_service.proto"
}
func (d definition) pkg() string      { return "opentelemetry.proto.collector." + d.dir() + ".v1" }
func (d definition) service() string  { return d.kind + "Service" }
func (d definition) request() string  { return "Export" + d.service() + "Request" }
func (d definition) response() string { return "Export" + d.service() + "Response" }
func (d definition) partial() string  { return "Export" + d.kind + "PartialSuccess" }

// defines says whether a full name is one of the file's.
func (d definition) defines(name string) bool {
	own, ok := strings.CutPrefix(name, d.pkg()+".")
	if !ok {
		return false
	}
	switch own {
	case d.service(), d.service() + ".Export",
		d.request(), d.request() + "." + d.field,
		d.response(), d.response() + ".partial_success",
		d.partial(), d.partial() + "." + d.rejected, d.partial() + ".error_message":
		return true
	}
	return false
}

// file encodes the definition. The numbers are those of the messages in
// google/protobuf/descriptor.proto.
func (d definition) file() file {
	data := "opentelemetry/proto/" + d.dir() + "/v1/" + d.dir() + ".proto"
	raw := text(1, d.path()) + text(2, d.pkg()) + text(3, data) +
		text(4, text(1, d.request())+text(2, field(d.field, 1, repeated, ".opentelemetry.proto."+d.dir()+".v1."+d.data))) +
		text(4, text(1, d.response())+text(2, field("partial_success", 1, optional, "."+d.pkg()+"."+d.partial()))) +
		text(4, text(1, d.partial())+text(2, scalar(d.rejected, 1, protoreflect.Int64Kind))+text(2, scalar("error_message", 2, protoreflect.StringKind))) +
		text(6, text(1, d.service())+text(2, text(1, "Export")+text(2, "."+d.pkg()+"."+d.request())+text(3, "."+d.pkg()+"."+d.response()))) +
		text(12, "proto3")
	return file{raw: []byte(raw), imports: []string{data}}
}

// The labels of a field.
const (
	optional = 1
	repeated = 3
)

// field is a google.protobuf.FieldDescriptorProto of a message's type.
func field(name string, n, label uint64, of string) string {
	return descriptor(name, n, label, protoreflect.MessageKind) + text(6, of)
}

func scalar(name string, n uint64, kind protoreflect.Kind) string {
	return descriptor(name, n, optional, kind)
}

func descriptor(name string, n, label uint64, kind protoreflect.Kind) string {
	return text(1, name) + number(3, n) + number(4, label) + number(5, uint64(kind))
}

// text is a field of a string, or of a message that is encoded.
func text(n protowire.Number, s string) string {
	return string(protowire.AppendString(protowire.AppendTag(nil, n, protowire.BytesType), s))
}

func number(n protowire.Number, v uint64) string {
	return string(protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v))
}
