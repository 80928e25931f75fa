package otlpjson

import (
	"slices"
	"strings"
)

var integerRows = []row{
	{"integer of 64 bits, quoted or not", slices.Concat(
		asTime.same(`"1544712660000000001"`, `"1544712660000000001"`, `1544712660000000001`),
		asTime.same(`"18446744073709551615"`, `"18446744073709551615"`, `18446744073709551615`),
		asTime.same(``, `"0"`, `0`),
		asInt.same(`"-9223372036854775808"`, `"-9223372036854775808"`, `-9223372036854775808`),
		asInt.same(`"9223372036854775807"`, `"9223372036854775807"`, `9223372036854775807`),
		asInt(`0`, `"0"`), asInt(`-5`, `"-5"`),
		inHistogram(`"count":2,"bucketCounts":[1,"0",18446744073709551615]`, `"count":"2","bucketCounts":["1","0","18446744073709551615"]`),
		inExponential.of("positive")(`{"bucketCounts":["300",0]}`, `{"bucketCounts":["300","0"]}`),
	)},
	{"integer of 32 bits, quoted or not", slices.Concat(
		asCount.same(`4294967295`, `"4294967295"`, `4294967295`),
		inExponential(`"scale":"-2147483648","positive":{"offset":-3},"flags":"1"`, `"scale":-2147483648,"positive":{"offset":-3},"flags":1`),
		inSpan.of("flags").same(`257`, `257`, `"257"`),
	)},
	{"integer written as 42.0 or 1e3", slices.Concat(
		asTime(`42.0`, `"42"`), asTime.same(`"1000"`, `1e3`, `"1E+3"`, `1000.000`), asTime(`1.5e1`, `"15"`), asTime(`1200e-2`, `"12"`),
		asTime(`18.446744073709551615e18`, `"18446744073709551615"`), asTime.same(``, `0.0e-99999999999`, `0e99999999999`),
		asInt(`1.152921504606847e+18`, `"1152921504606847000"`), asInt(`"\u0031.0"`, `"1"`), asCount(`0.5E1`, `5`),
	)},
	{"integer with a fraction", slices.Concat(asTime.refused(`1.5`, `"1.5"`, `1e-1`, `123e-2`, `1e-9999999999`), asInt.refused(`0.1`))},
	{"integer out of range in a oneof", asInt.same(``,
		`1e+300`, `"9223372036854775808"`, `-9223372036854775809`, `9223372036854776000`, `123456789012345678901234567890`, `1e9999999999`)},
	{"integer of 64 bits out of range elsewhere", asTime.refused(`18446744073709551616`, `-1`, `"-1"`, `1e20`, `1e300`, `100000000000000000000000`)},
	{"integer of 32 bits out of range", slices.Concat(
		asCount.refused(`4294967296`, `-1`, `1e10`), inExponential.of("scale").refused(`2147483648`, `-2147483649`),
	)},
	{"integer of -0", slices.Concat(asTime.same(``, `-0`, `"-0"`, `-0.0`), asInt(`-0`, `"0"`))},
	{"integer in another notation", asTime.refused(`01`, `"01"`, `+1`, `"+1"`, `0x1`, `"0x1"`, `""`, `" 1"`, `"1 "`, `1.`, `.5`, `1e`,
		`"1e+"`, `-`, `1_0`, `--1`, `"1,0"`, `true`, `"null"`, `[1]`, `"١"`, `1.0.0`, `"1\u0000"`)},
	{"time as an object", asTime.refused(`{"low":1,"high":2}`, `{}`, `"2024-01-01T00:00:00Z"`)},
}

var doubleRows = []row{
	{"double, quoted or not", slices.Concat(
		asDouble.same(`1.2`, `1.2`, `"1.2"`), asDouble(`42.0`, `42`), asDouble.kept(`0`, `-1.5e-10`, `1e+300`), asDouble(`"1E5"`, `100000`),
		asDouble(`18446744073709551616`, `18446744073709552000`),
		inHistogram.kept(`"sum":0,"explicitBounds":[0,1.5,2]`), inHistogram.of("explicitBounds")(`["-1.5",2.0]`, `[-1.5,2]`),
		inExponential.of("zeroThreshold").kept(`0.01`), inExponential.of("zeroThreshold")(`0.0`, ``),
	)},
	{"double of -0", slices.Concat(asDouble.same(`-0`, `-0`, `"-0.0"`), inExponential.of("zeroThreshold")(`-0`, `-0`))},
	{"double too small to be told from zero", asDouble(`1e-400`, `0`)},
	{"double too large", asDouble.refused(`1e309`, `"-1e400"`, `1`+strings.Repeat("0", 400))},
	{`"NaN", "Infinity" and "-Infinity"`, slices.Concat(
		asDouble.kept(`"NaN"`, `"Infinity"`, `"-Infinity"`), asDouble(`"N\u0061N"`, `"NaN"`),
	)},
	{"other spellings of these", asDouble.refused(`NaN`, `"nan"`, `"NAN"`, `"-NaN"`, `"inf"`, `"Inf"`, `"+Infinity"`, `Infinity`,
		`-Infinity`, `"infinity"`, `" NaN"`, `nan`)},
	{"double in another notation", asDouble.refused(`" 1.2"`, `"1.2 "`, `"+1"`, `01`, `"00.5"`, `"0x1p3"`, `1.`, `.5`, `1e`, `"1_0"`, `""`,
		`"1,5"`, `"1.2f"`, `true`, `[1.2]`, `{}`)},
}

var typeRows = []row{
	{"string or number for a bool", slices.Concat(
		inValue.of("boolValue").refused(`"true"`, `1`, `0`, `truth`, `t`), inSum.of("isMonotonic").refused(`"false"`),
	)},
	{"number or bool for a string", slices.Concat(asName.refused(`1`, `1.0`, `true`), inValue.of("stringValue").refused(`42`))},
	{"scalar for an object", slices.Concat(
		inAttr.of("value").refused(`1`, `"x"`, `false`), inResource.of("attributes").refused(`["x"]`), inList.refused(`1`),
	)},
	{"object for a scalar", asName.refused(`{}`, `{"x":[{"y":"}"}]}`)},
	{"object for a list", slices.Concat(
		inResource.of("attributes").refused(`{}`, `{"k":"v"}`, `"k=v"`), inHistogram.of("bucketCounts").refused(`"1"`, `1`),
	)},
	{"array for an object", inAttr.of("value").refused(`[]`, `[{"stringValue":"x"}]`)},
}

var stringRows = []row{
	{"escapes and surrogate pairs", slices.Concat(
		asName(`"\"\\\/\b\f\n\r\t\u0000\u001F\u00e9\u20AC\ud83d\uDE00"`, `"\"\\/\u0008\u000c\n\r\t\u0000\u001fé€😀"`),
		asName.kept(`"plain é 漢字 😀 `+"\u2028\u007f"+` text"`),
		inAttr.kept(`"key":"k","value":{"stringValue":"\n"}`), inAttr.of("key")(`"\u0041"`, `"A"`),
	)},
	{"lone surrogate", slices.Concat(
		asName.refused(`"\ud83d"`, `"\ude00"`, `"\ud83dx"`, `"\ud83d\n"`, `"\ud83d\ud83d"`), inScope.refused(`"x":"\ud83d"`, `"\ud83d":1`),
	)},
	{"invalid UTF-8", slices.Concat(
		asName.refused("\"\xff\"", "\"abcdefgh\xc3\"", "\"\\n\xed\xa0\x80\"", "\"\xc0\xaf\""), inScope.refused("\"x\":\"\xff\"", "\"\xff\":1"),
	)},
	{"control character in a string", slices.Concat(
		asName.refused("\"\n\"", "\"a\x00b\"", "\"0123456\x1f89\""), inScope.refused("\"x\":\"\t\"", "\"na\nme\":1"),
	)},
	{"escape that JSON does not have", slices.Concat(
		asName.refused(`"\x41"`, `"\u12"`, `"\u12g4"`, `"\'"`, `"\`, `"\U00e9"`), inScope.refused(`"x":"\a"`),
	)},
	{"base64, padded or not, of either alphabet", slices.Concat(
		asBytes.same(`"aGk="`, `"aGk="`, `"aGk"`), asBytes.same(`"+/+/"`, `"+/+/"`, `"-_-_"`, `"\u002b/+/"`), asBytes.same(`"/w=="`, `"_w"`, `"\/w=="`),
		asBytes.kept(`""`, `"`+strings.Repeat("AAAA", 100)+`"`),
	)},
	{"base64 of both alphabets or malformed", asBytes.refused(`"+_+_"`, `"a"`, `"aGk=="`, `"é"`, `1`, `[1]`)},
}
