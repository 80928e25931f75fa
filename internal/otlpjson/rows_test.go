package otlpjson

import (
	"slices"
	"strings"
)

// row is the inputs of a row of the package documentation's table.
type row struct {
	name   string
	inputs []input
}

var rows = slices.Concat(nullRows, keyRows, bodyRows, idRows, enumRows, integerRows, doubleRows, typeRows, stringRows)

var nullRows = []row{
	{"null for a message", slices.Concat(
		inList(`{"resource":null}`, `{}`),
		inMetric(`"name":"m","gauge":null`, `"name":"m"`),
	)},
	{"null for a list", slices.Concat(
		inResource.of("attributes")(`null`, ``),
		inValue(`"arrayValue":{"values":null}`, `"arrayValue":{}`),
		inHistogram(`"bucketCounts":null,"explicitBounds":null`, ``),
	)},
	{"null for an element of a list", slices.Concat(
		inList.refused(`null`, `{},null`),
		inResource.refused(`"attributes":[null]`, `"entityRefs":[{"idKeys":[null]}]`),
		inValue.refused(`"arrayValue":{"values":[null]}`),
		inHistogram.refused(`"explicitBounds":[null]`),
	)},
	{"null for a string, number or bool", slices.Concat(
		asName(`null`, ``), asCount(`null`, ``), asTime(`null`, ``), inSum.of("isMonotonic")(`null`, ``),
		inHistogram(`"sum":null,"min":null,"max":null`, ``),
	)},
	{"null for an enumeration", asEnum(`null`, ``)},
	{"null for an id", slices.Concat(asTraceID(`null`, ``), asSpanID(`null`, ``))},
	{"null for an attribute's value", inAttr(`"key":"k","value":null`, `"key":"k"`)},
	{"null for a member of a oneof", slices.Concat(
		asInt(`null`, ``), asBytes(`null`, ``),
		inValue(`"bytesValue":null,"boolValue":true`, `"boolValue":true`),
	)},
	{"null for a double that is alone in a oneof", asDouble(`null`, `"NaN"`)},
	{"null for a double and other members", slices.Concat(
		inValue.same(`"stringValue":"s"`, `"doubleValue":null,"stringValue":"s"`, `"stringValue":"s","doubleValue":null`),
		inValue(`"stringValue":null,"intValue":null,"doubleValue":null`, ``),
		inPoint(`"asInt":"3","asDouble":null`, `"asInt":"3"`),
	)},
	{"null for an unknown key", inScope.of("later")(`null`, ``)},
	{"null for the body", putter(whole).refused(`null`)},
}

var keyRows = []row{
	{"unknown key with any value", slices.Concat(
		inBody.same(``, `"a":true,"b":[1,-2.5e3,"x",{}],"c":{"d":[[],{"e":{"f":false}}]},"g":"é\u00e9\ud83d\ude00"`, `"":0`),
		inResource(`"x":1,"droppedAttributesCount":2`, `"droppedAttributesCount":2`),
		inValue(`"later":{"stringValue":1},"intValue":"1"`, `"intValue":"1"`),
	)},
	{"unknown key twice", inScope(`"x":1,"x":2`, ``)},
	{"key in another case (traceID)", slices.Concat(inScope(`"NAME":1`, ``), inSpan(`"traceID":"x","Name":1`, ``))},
	{"key written with escapes", slices.Concat(
		inScope(`"n\u0061me":"x"`, `"name":"x"`),
		inValue(`"string\u0056alue":"x"`, `"stringValue":"x"`),
	)},
	{"key in snake_case", slices.Concat(
		inResource(`"dropped_attributes_count":3`, `"droppedAttributesCount":3`),
		inValue(`"string_value":"x"`, `"stringValue":"x"`),
		inSpan(`"trace_id":"`+sixteen+`"`, `"traceId":"`+sixteen+`"`),
	)},
	{"key twice", slices.Concat(
		inScope.refused(`"name":"a","name":"a"`),
		inResource.refused(`"attributes":[],"attributes":[]`),
		inValue.refused(`"intValue":1,"intValue":1`),
		inSpan.refused(`"traceId":"`+sixteen+`","traceId":"`+sixteen+`"`),
	)},
	{"key twice, one of them null", inScope.refused(`"name":"a","name":null`, `"name":null,"name":"a"`)},
	{"key in snake_case and in camelCase", inResource.refused(
		`"dropped_attributes_count":1,"droppedAttributesCount":1`, `"droppedAttributesCount":1,"dropped_attributes_count":1`,
	)},
	{"two members of a oneof", slices.Concat(
		inValue.refused(`"intValue":1,"stringValue":"1"`, `"arrayValue":{},"kvlistValue":{}`),
		inPoint.refused(`"asInt":1,"asDouble":1`), inMetric.refused(`"gauge":{},"sum":{}`),
	)},
	{"key that only profiles have", slices.Concat(
		inValue(`"stringValue":"x","stringValueStrindex":3`, `"stringValue":"x"`),
		inAttr.same(`"key":"k"`, `"key":"k","keyStrindex":0`, `"key_strindex":null,"key":"k"`),
	)},
}

var bodyRows = []row{
	{"empty body", putter(whole).refused("", " \n")},
	{"object without keys", putter(whole).same("{}", "{}", "{ }")},
	{"array for the body", putter(whole).refused("[]", "[{}]")},
	{"string or number for the body", putter(whole).refused(`"{}"`, "1", "true", "CgA=")},
	{"white space around everything", slices.Concat(
		whole(" \t\r\n{\n \t}\r\n", "{}"),
		inResource.of("attributes")(" \n[ { \"key\" :\n\t\"k\" , \"value\"   :          { \"intValue\" : 1\r\n } } ] ",
			`[{"key":"k","value":{"intValue":"1"}}]`),
	)},
	{"trailing data", putter(whole).refused("{}{}", "{} x", "{},", "{}\x00", "{}\ufeff")},
	{"trailing comma", slices.Concat(
		inBody.refused(`"x":1,`, `"x":[1,]`), inResource.refused(`"attributes":[{},]`), inScope.refused(`"name":"x",`),
	)},
	{"missing comma, colon or bracket", slices.Concat(
		putter(whole).refused("{", `{"x"`, `{"x":`, `{"x":1`, `{x:1}`, `{"x`),
		inBody.refused(`"x"1`, `"x":`, `"x" 1`, `"x":1 "y":2`, `"x":[1 2]`, `"x":[1}`, `"x":{]`, `,`),
		inResource.refused(`"attributes":[{} {}]`, `"attributes":[{}`, `"attributes" []`, `"attributes":`, `"attributes":[,{}]`),
	)},
	{"comment", putter(whole).refused("/* */{}", "{}//", "{# \n}")},
	{"single quotes", inBody.refused(`'x':1`, `"x":'y'`)},
	{"byte order mark", whole("\ufeff{}", "{}")},
	{"nesting of 10000 levels", slices.Concat(
		inResource.kept(nested(maxDepth), nested(maxDepth-1)), inBody(brackets(maxDepth-1), ``),
	)},
	{"nesting deeper than that", slices.Concat(
		inResource.refused(nested(maxDepth+1), nested(maxDepth+2)), inBody.refused(brackets(maxDepth)),
	)},
}

// nested is a resource's attribute at that many levels of messages: there are
// three around it, two of its own, and two in each array.
func nested(levels int) string {
	const open, end = `"arrayValue":{"values":[{`, `}]}`
	n := (levels - 5) / 2
	inner := ""
	if levels%2 == 0 {
		inner = `"kvlistValue":{}`
	}
	return `"attributes":[{"value":{` + strings.Repeat(open, n) + inner + strings.Repeat(end, n) + `}}]`
}

// brackets is an unknown key with a value of so many arrays.
func brackets(levels int) string {
	return `"x":` + strings.Repeat("[", levels) + strings.Repeat("]", levels)
}

const (
	sixteen = "0123456789abcdef0123456789abcdef"
	eight   = "fedcba9876543210"
	zeros   = "00000000000000000000000000000000"
)

var idRows = []row{
	{"id in either case", slices.Concat(
		asTraceID(`"`+sixteen+`"`, `"`+sixteen+`"`), asTraceID(`"`+strings.ToUpper(sixteen)+`"`, `"`+sixteen+`"`),
		asSpanID(`"FeDcBa9876543210"`, `"`+eight+`"`), asSpanID(`"\u0066edcba9876543210"`, `"`+eight+`"`),
	)},
	{"id that is empty", slices.Concat(asTraceID(`""`, ``), asSpanID(`""`, ``))},
	{"id of zeros", slices.Concat(asTraceID.kept(`"`+zeros+`"`), asSpanID.kept(`"`+zeros[:16]+`"`))},
	{"id of another length", slices.Concat(
		asTraceID.refused(`"00"`, `"`+eight+`"`, `"`+zeros+`00"`, `"`+zeros+zeros+`"`),
		asSpanID.refused(`"00"`, `"`+eight+`00"`, `"`+sixteen+`"`),
	)},
	{"id of an odd number of digits", slices.Concat(asTraceID.refused(`"`+zeros[1:]+`"`, `"0"`), asSpanID.refused(`"`+eight[1:]+`"`))},
	{"id with other characters", slices.Concat(
		asTraceID.refused(`"`+zeros[1:]+`g"`, `"`+zeros[2:]+` 0"`, `"`+zeros[2:]+`é"`, `"00000000-0000-0000-0000-000000000000"`),
		asSpanID.refused(`"`+eight[1:]+`:"`, `"`+eight[1:]+`/"`, `"\u0000fedcba987654321"`),
	)},
	{"id in base64", slices.Concat(asTraceID.refused(`"W47/95gDgQPSabYzgT/GDA=="`), asSpanID.refused(`"7uGbfsPBsXM="`))},
	{"id that is a number", slices.Concat(
		asTraceID.refused(`0`, `[0]`, `true`), asSpanID.refused(`1234567812345678`, `{}`),
	)},
}

var enumRows = []row{
	{"enumeration by an unknown number", asEnum.kept(`99`, `-1`, `2147483647`, `-2147483648`)},
	{"enumeration by a number like 2.0", slices.Concat(asEnum.same(`2`, `2.0`, `2e0`, `0.2e1`), asEnum(`0.0`, ``))},
	{"enumeration by name", slices.Concat(
		inSpan.of("kind")(`"SPAN_KIND_SERVER"`, `2`),
		inSpan.of("status")(`{"code":"STATUS_CODE_ERROR"}`, `{"code":2}`),
		inSum.of("aggregationTemporality")(`"AGGREGATION_TEMPORALITY_DELTA"`, `1`),
		inLog.of("severityNumber")(`"SEVERITY_NUMBER_INFO"`, `9`),
		inLog.of("severityNumber")(`"SEVERITY_NUMBER_UNSPECIFIED"`, ``),
	)},
	{"enumeration by a quoted number", slices.Concat(asEnum(`"2"`, `2`), asEnum(`"-7"`, `-7`), asEnum(`"0"`, ``), asEnum(`"2.0"`, `2`))},
	{"enumeration by an unknown name", asEnum.refused(`"SERVER"`, `"span_kind_server"`, `""`, `" 2"`, `"SPAN_KIND_"`)},
	{"enumeration by a number that is none of its", asEnum.refused(`2.5`, `2147483648`, `-2147483649`, `1e300`, `"3000000000"`, `true`, `[2]`)},
}
