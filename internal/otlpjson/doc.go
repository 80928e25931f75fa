// Package otlpjson turns OTLP JSON into the protobuf bytes of the same message,
// and back.
//
// OTLP JSON is the JSON of proto3 with five differences: ids are hexadecimal
// digits (S-32), enumerations are numbers (S-33), unknown keys are ignored
// (S-34), keys are lowerCamelCase only (S-35), and whatever takes a number of
// 64 bits takes it quoted or not (S-36). The rest is as in proto3 JSON (S-37).
//
// [Strict] accepts OTLP JSON and nothing else. [Lenient] also accepts what is
// JSON, departs from OTLP JSON and still has exactly one meaning, and lists it
// as a [Departure]. What has no meaning or more than one is refused in both:
// no id, time or number is ever guessed, but for one that a client has lost
// before (NaN, below). So Strict refuses just what Lenient refuses or lists,
// warnings apart, and where both accept they make the same of it.
//
// What becomes of everything that is not plain, in all signals alike, where a
// departure or an error has the requirement's number that is named:
//
//	input                                        | lenient             | strict
//	---------------------------------------------+---------------------+--------------------
//	null for a message                           | absent              | absent
//	null for a list                              | absent              | absent
//	null for an element of a list                | refused, S-37       | refused, S-37
//	null for a string, number or bool            | absent              | absent
//	null for an enumeration                      | absent              | absent
//	null for an id                               | absent              | absent
//	null for an attribute's value                | absent              | absent
//	null for a member of a oneof                 | absent              | absent
//	null for a double that is alone in a oneof   | NaN, S-37           | refused, S-37
//	null for a double and other members          | absent              | absent
//	null for an unknown key                      | ignored             | ignored
//	null for the body                            | refused, S-37       | refused, S-37
//	unknown key with any value                   | ignored             | ignored
//	unknown key twice                            | ignored             | ignored
//	key in another case (traceID)                | ignored             | ignored
//	key written with escapes                     | accepted            | accepted
//	key in snake_case                            | accepted, S-35      | refused, S-35
//	key twice                                    | refused, S-37       | refused, S-37
//	key twice, one of them null                  | refused, S-37       | refused, S-37
//	key in snake_case and in camelCase           | refused, S-37       | refused, S-35
//	two members of a oneof                       | refused, S-37       | refused, S-37
//	key that only profiles have                  | ignored, warns S-50 | ignored, warns S-50
//	empty body                                   | refused, S-37       | refused, S-37
//	object without keys                          | accepted            | accepted
//	array for the body                           | refused, S-37       | refused, S-37
//	string or number for the body                | refused, S-37       | refused, S-37
//	white space around everything                | accepted            | accepted
//	trailing data                                | refused, S-37       | refused, S-37
//	trailing comma                               | refused, S-37       | refused, S-37
//	missing comma, colon or bracket              | refused, S-37       | refused, S-37
//	comment                                      | refused, S-37       | refused, S-37
//	single quotes                                | refused, S-37       | refused, S-37
//	byte order mark                              | accepted, S-37      | refused, S-37
//	nesting of 10000 levels                      | accepted            | accepted
//	nesting deeper than that                     | refused, S-37       | refused, S-37
//	id in either case                            | accepted            | accepted
//	id that is empty                             | absent, warns S-32  | absent, warns S-32
//	id of zeros                                  | kept                | kept
//	id of another length                         | refused, S-32       | refused, S-32
//	id of an odd number of digits                | refused, S-32       | refused, S-32
//	id with other characters                     | refused, S-32       | refused, S-32
//	id in base64                                 | refused, S-32       | refused, S-32
//	id that is a number                          | refused, S-32       | refused, S-32
//	enumeration by an unknown number             | kept                | kept
//	enumeration by a number like 2.0             | accepted            | accepted
//	enumeration by name                          | accepted, S-33      | refused, S-33
//	enumeration by a quoted number               | accepted, S-33      | refused, S-33
//	enumeration by an unknown name               | refused, S-33       | refused, S-33
//	enumeration by a number that is none of its  | refused, S-33       | refused, S-33
//	integer of 64 bits, quoted or not            | accepted            | accepted
//	integer of 32 bits, quoted or not            | accepted            | accepted
//	integer written as 42.0 or 1e3               | accepted            | accepted
//	integer with a fraction                      | refused, S-36       | refused, S-36
//	integer out of range in a oneof              | absent, S-36        | refused, S-36
//	integer of 64 bits out of range elsewhere    | refused, S-36       | refused, S-36
//	integer of 32 bits out of range              | refused, S-37       | refused, S-37
//	integer of -0                                | accepted            | accepted
//	integer in another notation                  | refused, S-36       | refused, S-36
//	time as an object                            | refused, S-36       | refused, S-36
//	double, quoted or not                        | accepted            | accepted
//	double of -0                                 | kept                | kept
//	double too small to be told from zero        | accepted            | accepted
//	double too large                             | refused, S-37       | refused, S-37
//	"NaN", "Infinity" and "-Infinity"            | accepted            | accepted
//	other spellings of these                     | refused, S-37       | refused, S-37
//	double in another notation                   | refused, S-37       | refused, S-37
//	string or number for a bool                  | refused, S-37       | refused, S-37
//	number or bool for a string                  | refused, S-37       | refused, S-37
//	scalar for an object                         | refused, S-37       | refused, S-37
//	object for a scalar                          | refused, S-37       | refused, S-37
//	object for a list                            | refused, S-37       | refused, S-37
//	array for an object                          | refused, S-37       | refused, S-37
//	escapes and surrogate pairs                  | accepted            | accepted
//	lone surrogate                               | refused, S-37       | refused, S-37
//	invalid UTF-8                                | refused, S-37       | refused, S-37
//	control character in a string                | refused, S-37       | refused, S-37
//	escape that JSON does not have               | refused, S-37       | refused, S-37
//	base64, padded or not, of either alphabet    | accepted            | accepted
//	base64 of both alphabets or malformed        | refused, S-32       | refused, S-32
//
// NaN for null is a choice: JSON.stringify makes null of NaN and of both
// infinities, so that the number is lost, and NaN is what says so. An exporter
// that writes null for whatever is absent writes it for the other members too.
//
// An integer out of range in a oneof (a JavaScript exporter's
// {"intValue":1e+300}) leaves an attribute or a point without a value, and does
// not cost the client the other data of the request.
package otlpjson
