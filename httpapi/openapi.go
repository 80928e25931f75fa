package httpapi

import (
	_ "embed"
	"net/http"
)

//go:embed openapi.yaml
var openAPI []byte

// description is the endpoint for the OpenAPI document.
func description(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	return answer{contentType: "application/yaml", body: openAPI}, nil
}
