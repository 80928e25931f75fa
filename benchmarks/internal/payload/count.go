package payload

import "google.golang.org/protobuf/encoding/protowire"

// Count counts the spans of an encoded request without decoding it.
func Count(request []byte) int { return count(request, 1, 2, 2) }

// count counts the messages at a path of field numbers.
func count(b []byte, path ...protowire.Number) (n int) {
	for len(b) > 0 {
		num, typ, size := protowire.ConsumeTag(b)
		if size < 0 {
			return n
		}
		b = b[size:]
		if size = protowire.ConsumeFieldValue(num, typ, b); size < 0 {
			return n
		}
		if num == path[0] && typ == protowire.BytesType {
			if len(path) == 1 {
				n++
			} else if v, m := protowire.ConsumeBytes(b); m >= 0 {
				n += count(v, path[1:]...)
			}
		}
		b = b[size:]
	}
	return n
}
