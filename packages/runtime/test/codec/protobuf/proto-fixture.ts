import type { JaqTransformations, ProtobufCodecPlan, ProtobufDescriptors } from '@nervix/model';
import { compileDescriptors } from '../../../src/codec/protobuf/compile-descriptors.js';
import type { MessageShape } from '../../../src/codec/protobuf/message-shape.js';

/** Files of a resource, with all `.proto` files as roots. */
export function descriptorsOf(
  files: Readonly<Record<string, string>>,
  config: Partial<Pick<ProtobufDescriptors, 'roots' | 'includes'>> = {},
): ProtobufDescriptors {
  return {
    resource: { name: 'protos', version: 3 },
    roots: [],
    includes: [],
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
    ...config,
  };
}

export function shapeOf(text: string, message: string): MessageShape {
  return compileDescriptors(descriptorsOf({ 'a.proto': text })).message(message);
}

export function protobufCodec(
  text: string,
  parts: Partial<ProtobufCodecPlan> & { readonly programs?: Partial<JaqTransformations> } = {},
): ProtobufCodecPlan {
  const { programs, ...rest } = parts;
  return {
    name: 'c',
    format: 'PROTOBUF',
    schema: 's',
    descriptors: descriptorsOf({ 'a.proto': text }),
    message: 't.M',
    batchMessage: null,
    transformations: { onIngestion: '.', onEmitting: '.', onEmittingBatch: null, ...programs },
    ...rest,
  };
}

/** Every kind of field, in both ages of the language. */
export const RICH = `
syntax = "proto3";
package t;
enum Color { COLOR_NONE = 0; RED = 1; CRIMSON = 5; }
message M {
  double f_double = 1; float f_float = 2;
  int32 f_int32 = 3; int64 f_int64 = 4; uint32 f_uint32 = 5; uint64 f_uint64 = 6;
  sint32 f_sint32 = 7; sint64 f_sint64 = 8;
  fixed32 f_fixed32 = 9; fixed64 f_fixed64 = 10; sfixed32 f_sfixed32 = 11; sfixed64 f_sfixed64 = 12;
  bool f_bool = 13; string f_string = 14; bytes f_bytes = 15;
  Color f_color = 16; M f_self = 17;
  optional int32 o_int32 = 18; optional string o_string = 19;
  repeated int64 r_int64 = 20; repeated sint32 r_loose = 21 [packed = false];
  repeated string r_string = 22; repeated M r_self = 23; repeated Color r_color = 24;
  repeated double r_double = 25;
  map<string, int32> m_text = 26; map<int64, string> m_long = 27; map<bool, M> m_bool = 28;
  map<uint32, Color> m_color = 29;
  oneof choice { int32 c_int32 = 30; string c_string = 31; M c_self = 32; }
  int32 camelCase = 536870911;
}
message All { repeated M members = 1; string note = 2; }
message Two { repeated M a = 1; repeated M b = 2; }
`;

export const OLD = `
syntax = "proto2";
package t;
message M {
  enum Kind { A = 1; B = 2; }
  required int32 id = 1;
  optional Kind kind = 2 [default = B];
  repeated Kind kinds = 3;
  optional group Part = 4 { optional string text = 1; optional group Deep = 2 { optional int32 n = 1; } }
  repeated group Item = 5 { required int64 n = 1; }
  repeated int32 list = 6;
  optional string text = 7 [default = "x"];
  map<string, Kind> by_name = 8;
  extensions 100 to 199;
}
extend M { optional int32 extra = 100; }
`;
