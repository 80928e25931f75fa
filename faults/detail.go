package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
)

// typePrefix is what stands before a message's name in a google.protobuf.Any.
const typePrefix = "type.googleapis.com/"

// bare is the JSON of a detail whose fields are not written: its type is not
// linked into this program, or JSON would lose some of its bytes.
type bare struct {
	Type  string `json:"@type"`
	Value []byte `json:"@value"`
}

// json is the detail as JSON in one form: the same for equal messages.
func (d Detail) json() []byte {
	value := canonical(d.Type, []byte(d.Value))
	if text, err := d.protojson(value); err == nil {
		if again, err := parseDetail(text); err == nil && again.Value == string(value) {
			return text
		}
	}
	text, err := json.Marshal(bare{typePrefix + d.Type, value})
	if err != nil {
		return []byte("{}") // never: a string and bytes can always be written
	}
	return text
}

// MarshalJSON is the JSON of the Any, and of what JSON cannot say the bytes as
// "@value".
func (d Detail) MarshalJSON() ([]byte, error) { return d.json(), nil }

// protojson is the JSON that protobuf has for the Any.
func (d Detail) protojson(value []byte) ([]byte, error) {
	spaced, err := protojson.Marshal(&anypb.Any{TypeUrl: typePrefix + d.Type, Value: value})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = json.Compact(&text, spaced) // protojson puts in spaces at random
	return text.Bytes(), err
}

// canonical is a message's bytes in one order of its fields, and the bytes as
// they are where they are no message or its type is not known.
func canonical(name string, value []byte) []byte {
	t, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
	if err != nil {
		return value
	}
	m := t.New().Interface()
	if err := proto.Unmarshal(value, m); err != nil {
		return value
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return value
	}
	return b
}

// parseDetail reads what json writes, and any other JSON of the Any.
func parseDetail(text []byte) (Detail, error) {
	var o object
	if err := json.Unmarshal(text, &o); err != nil || o == nil {
		return Detail{}, fmt.Errorf("got %s, want an object with @type", text)
	}
	name, err := o.typeName()
	if err != nil {
		return Detail{}, err
	}
	read := parseFields
	if o.has("@value") {
		read = parseBare
	}
	value, err := read(name, text)
	return Detail{name, string(canonical(name, value))}, err
}

// typeName is the full name of the message that @type says.
func (o object) typeName() (string, error) {
	var url string
	if err := json.Unmarshal(o["@type"], &url); err != nil {
		return "", fmt.Errorf(`got no @type in a detail, want one such as "%sgoogle.rpc.QuotaFailure"`, typePrefix)
	}
	name := url[strings.LastIndexByte(url, '/')+1:]
	if !protoreflect.FullName(name).IsValid() {
		return "", fmt.Errorf(`got @type %q, want one such as "%sgoogle.rpc.QuotaFailure"`, url, typePrefix)
	}
	return name, nil
}

// parseFields reads the bytes of a message from its fields.
func parseFields(name string, text []byte) ([]byte, error) {
	if _, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name)); err != nil {
		return nil, fmt.Errorf(`got a detail of type %s, which this program does not know: want its bytes in base64, as "@value"`, name)
	}
	var a anypb.Any
	if err := protojson.Unmarshal(text, &a); err != nil {
		return nil, errors.New("detail: " + steady(err))
	}
	return a.Value, nil
}

// parseBare reads the bytes of a message as they are.
func parseBare(_ string, text []byte) ([]byte, error) {
	var value []byte
	_, err := readObject(text,
		field{name: "@type", read: func(json.RawMessage) error { return nil }},
		field{name: "@value", want: "bytes in base64", read: func(b json.RawMessage) error { return json.Unmarshal(b, &value) }},
	)
	return value, err
}

// steady is the text of an error of protobuf without the spaces that it varies
// at random.
func steady(err error) string {
	s := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	return strings.TrimPrefix(s, "proto: ")
}
