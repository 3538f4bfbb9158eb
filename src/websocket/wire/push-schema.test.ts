import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { readProto } from '#websocket/documents/proto-messages.ts';
import { pushProto } from '#websocket/wire/push-proto.ts';
import { file_push } from '#websocket/wire/push_pb.ts';

function typeOf(field: DescField): string | undefined {
  if (field.message !== undefined) return field.message.name;
  return field.scalar === undefined ? undefined : ScalarType[field.scalar].toLowerCase();
}

function ruleOf(field: DescField): string {
  if (field.fieldKind === 'list') return 'repeated';
  if (field.oneof !== undefined) return 'oneof';
  return field.proto.proto3Optional ? 'optional' : 'plain';
}

test('messages are encoded by the schema that is served', () => {
  const served = readProto(pushProto).map(({ name, fields }) => ({
    name,
    fields: fields.map((field) => [field.name, field.number, field.type, field.rule]),
  }));
  const encoded = file_push.messages.map(({ name, fields }) => ({
    name,
    fields: fields.map((field) => [field.name, field.number, typeOf(field), ruleOf(field)]),
  }));
  expect(served.length).toBeGreaterThan(10);
  expect(encoded).toEqual(served);
  expect(pushProto).toContain(`package ${file_push.proto.package};`);
});
