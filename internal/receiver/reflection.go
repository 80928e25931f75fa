package receiver

import (
	"errors"
	"io"
	"maps"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
)

// registerTools adds what operators ask a gRPC server: whether it is healthy,
// and which services it has.
func registerTools(s *grpc.Server) {
	healthpb.RegisterHealthServer(s, health.NewServer())
	reflectionpb.RegisterServerReflectionServer(s, reflection{services: s.GetServiceInfo})
}

// reflection describes the services by the files that define them. It is not
// grpc-go's, which links what decodes and encodes such files: that would make
// up a tenth of what this module adds to a test.
type reflection struct {
	reflectionpb.UnimplementedServerReflectionServer
	services func() map[string]grpc.ServiceInfo
}

// ServerReflectionInfo implements reflectionpb.ServerReflectionServer.
func (r reflection) ServerReflectionInfo(stream grpc.BidiStreamingServer[reflectionpb.ServerReflectionRequest, reflectionpb.ServerReflectionResponse]) error {
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		res := r.answer(req)
		res.ValidHost, res.OriginalRequest = req.Host, req
		if err := stream.Send(res); err != nil {
			return err
		}
	}
}

func (r reflection) answer(req *reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse {
	switch ask := req.MessageRequest.(type) {
	case *reflectionpb.ServerReflectionRequest_ListServices:
		return r.list()
	case nil:
		return unknown(codes.InvalidArgument, "got no question")
	case *reflectionpb.ServerReflectionRequest_FileByFilename:
		return describe(ask.FileByFilename)
	case *reflectionpb.ServerReflectionRequest_FileContainingSymbol:
		return describe(pathOf(ask.FileContainingSymbol))
	}
	return unknown(codes.Unimplemented, "got a question about extensions, of which there are none")
}

func (r reflection) list() *reflectionpb.ServerReflectionResponse {
	var list reflectionpb.ListServiceResponse
	for _, name := range slices.Sorted(maps.Keys(r.services())) {
		list.Service = append(list.Service, &reflectionpb.ServiceResponse{Name: name})
	}
	return &reflectionpb.ServerReflectionResponse{
		MessageResponse: &reflectionpb.ServerReflectionResponse_ListServicesResponse{ListServicesResponse: &list},
	}
}

// describe is a file and all that it depends on.
func describe(path string) *reflectionpb.ServerReflectionResponse {
	var raw [][]byte
	known := files()
	paths := []string{path}
	for i := 0; i < len(paths); i++ {
		f, ok := known[paths[i]]
		if !ok {
			return unknown(codes.NotFound, "there is no such file or symbol")
		}
		raw = append(raw, f.raw)
		for _, p := range f.imports {
			if !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	return &reflectionpb.ServerReflectionResponse{
		MessageResponse: &reflectionpb.ServerReflectionResponse_FileDescriptorResponse{
			FileDescriptorResponse: &reflectionpb.FileDescriptorResponse{FileDescriptorProto: raw},
		},
	}
}

func unknown(code codes.Code, message string) *reflectionpb.ServerReflectionResponse {
	return &reflectionpb.ServerReflectionResponse{
		MessageResponse: &reflectionpb.ServerReflectionResponse_ErrorResponse{
			ErrorResponse: &reflectionpb.ErrorResponse{ErrorCode: int32(code), ErrorMessage: message},
		},
	}
}
