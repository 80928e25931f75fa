package easy

import (
	"fmt"

	"github.com/VictoriaMetrics/easyproto"
)

func grow[T any](s []T) ([]T, *T) {
	var z T
	s = append(s, z)
	return s, &s[len(s)-1]
}

func badField(what string, n uint32) error { return fmt.Errorf("cannot read field %d of %s", n, what) }

// attributes decodes the repeated KeyValue field num of a message.
func attributes(src []byte, num uint32, kvs []KeyValue) (_ []KeyValue, err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return nil, err
		}
		if fc.FieldNum == num {
			d, ok := fc.MessageData()
			if !ok {
				return nil, badField("attributes", num)
			}
			var kv *KeyValue
			kvs, kv = grow(kvs)
			if err = kv.unmarshal(d); err != nil {
				return nil, err
			}
		}
	}
	return kvs, nil
}

func (kv *KeyValue) unmarshal(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			kv.Key, ok = fc.String()
		case 2:
			var d []byte
			if d, ok = fc.MessageData(); ok {
				if err = kv.Value.unmarshal(d); err != nil {
					return err
				}
			}
		}
		if !ok {
			return badField("KeyValue", fc.FieldNum)
		}
	}
	return nil
}

func (v *Value) unmarshal(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		var ok bool
		var d []byte
		switch fc.FieldNum {
		case 1:
			v.Str, ok = fc.String()
		case 2:
			var b bool
			if b, ok = fc.Bool(); b {
				v.Int = 1
			}
		case 3:
			v.Int, ok = fc.Int64()
		case 4:
			v.Float, ok = fc.Double()
		case 5:
			if d, ok = fc.MessageData(); ok {
				if err = v.array(d); err != nil {
					return err
				}
			}
		case 6:
			if d, ok = fc.MessageData(); ok {
				if v.Map, err = attributes(d, 1, v.Map); err != nil {
					return err
				}
			}
		case 7:
			v.Bytes, ok = fc.Bytes()
		default:
			continue
		}
		if !ok {
			return badField("AnyValue", fc.FieldNum)
		}
		v.Kind = uint8(fc.FieldNum)
	}
	return nil
}

func (v *Value) array(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		if fc.FieldNum == 1 {
			d, ok := fc.MessageData()
			if !ok {
				return badField("ArrayValue", 1)
			}
			var e *Value
			v.Array, e = grow(v.Array)
			if err = e.unmarshal(d); err != nil {
				return err
			}
		}
	}
	return nil
}
