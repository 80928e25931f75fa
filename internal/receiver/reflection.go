package receiver

import (
	"fmt"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/otlptest/otlptest/query"
)

// registerTools adds what operators ask a gRPC server: whether it is healthy,
// and which services it has.
func registerTools(s *grpc.Server) {
	healthpb.RegisterHealthServer(s, health.NewServer())
	reflectionv1.RegisterServerReflectionServer(s, reflection.NewServerV1(reflection.ServerOptions{
		Services: s, DescriptorResolver: resolver{},
	}))
}

// resolver finds descriptors of what is linked, and of OTLP's services, which
// are not: their generated code would bring a gateway along.
type resolver struct{}

// FindFileByPath implements protodesc.Resolver.
func (resolver) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	if f, err := protoregistry.GlobalFiles.FindFileByPath(path); err == nil {
		return f, nil
	}
	return serviceFiles().FindFileByPath(path)
}

// FindDescriptorByName implements protodesc.Resolver.
func (resolver) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	if d, err := protoregistry.GlobalFiles.FindDescriptorByName(name); err == nil {
		return d, nil
	}
	return serviceFiles().FindDescriptorByName(name)
}

// serviceFiles is the files that define OTLP's services.
var serviceFiles = sync.OnceValue(func() *protoregistry.Files {
	files := new(protoregistry.Files)
	for signal, service := range services {
		f, err := protodesc.NewFile(serviceFile(signal, service), protoregistry.GlobalFiles)
		if err == nil {
			err = files.RegisterFile(f)
		}
		if err != nil { // a mistake in serviceFile, which a test would find
			panic(fmt.Sprintf("describe %s: %v", service, err))
		}
	}
	return files
})

// serviceFile is the definition of a signal's service, such as
// opentelemetry/proto/collector/trace/v1/trace_service.proto.
func serviceFile(signal query.Signal, service string) *descriptorpb.FileDescriptorProto {
	dot := strings.LastIndex(service, ".")
	pkg, name := service[:dot], service[dot+1:]
	kind := strings.TrimSuffix(name, "Service") // Trace, Metrics or Logs
	dir := strings.ToLower(kind)
	data := map[query.Signal][2]string{
		query.Traces:  {"ResourceSpans", "resource_spans"},
		query.Metrics: {"ResourceMetrics", "resource_metrics"},
		query.Logs:    {"ResourceLogs", "resource_logs"},
	}[signal]
	rejected := map[query.Signal]string{
		query.Traces: "rejected_spans", query.Metrics: "rejected_data_points", query.Logs: "rejected_log_records",
	}[signal]
	request, response, partial := "Export"+name+"Request", "Export"+name+"Response", "Export"+kind+"PartialSuccess"
	return &descriptorpb.FileDescriptorProto{
		Syntax:     proto.String("proto3"),
		Name:       proto.String("opentelemetry/proto/collector/" + dir + "/v1/" + dir + "_service.proto"),
		Package:    proto.String(pkg),
		Dependency: []string{"opentelemetry/proto/" + dir + "/v1/" + dir + ".proto"},
		MessageType: []*descriptorpb.DescriptorProto{
			message3(request, repeated(messageField(data[1], 1, ".opentelemetry.proto."+dir+".v1."+data[0]))),
			message3(response, messageField("partial_success", 1, "."+pkg+"."+partial)),
			message3(partial,
				field(rejected, 1, descriptorpb.FieldDescriptorProto_TYPE_INT64),
				field("error_message", 2, descriptorpb.FieldDescriptorProto_TYPE_STRING)),
		},
		Service: []*descriptorpb.ServiceDescriptorProto{{
			Name: proto.String(name),
			Method: []*descriptorpb.MethodDescriptorProto{{
				Name: proto.String("Export"), InputType: proto.String("." + pkg + "." + request), OutputType: proto.String("." + pkg + "." + response),
			}},
		}},
	}
}

func message3(name string, fields ...*descriptorpb.FieldDescriptorProto) *descriptorpb.DescriptorProto {
	return &descriptorpb.DescriptorProto{Name: proto.String(name), Field: fields}
}

func field(name string, number int32, kind descriptorpb.FieldDescriptorProto_Type) *descriptorpb.FieldDescriptorProto {
	return &descriptorpb.FieldDescriptorProto{
		Name: proto.String(name), Number: proto.Int32(number), Type: kind.Enum(),
		Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
	}
}

func messageField(name string, number int32, of string) *descriptorpb.FieldDescriptorProto {
	f := field(name, number, descriptorpb.FieldDescriptorProto_TYPE_MESSAGE)
	f.TypeName = proto.String(of)
	return f
}

func repeated(f *descriptorpb.FieldDescriptorProto) *descriptorpb.FieldDescriptorProto {
	f.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	return f
}
