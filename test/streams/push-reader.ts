import {
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJsonString,
  type Message as Read,
} from '@bufbuild/protobuf';
import {
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { create } from '@bufbuild/protobuf';
import type { ChannelId, channels } from '#websocket/channels.ts';
import { pushProto } from '#websocket/documents/push-schema.ts';
import type { Field, Message } from '#websocket/wire/message.ts';
import { type ProtoField, readProto } from './proto-messages.ts';

/*
 * Reads pushes as a client does that uses a library of protobuf's and the schema for download. What pushes hold is
 * typed as it was declared.
 */

interface ReadScalars {
  readonly string: string;
  readonly int32: number;
  readonly int64: bigint;
  readonly bool: boolean;
}
type ReadValue<Type> = Type extends Message
  ? ReadContent<Type>
  : Type extends keyof ReadScalars
    ? ReadScalars[Type]
    : never;
type ReadContent<Of> =
  Of extends Message<infer Declared>
    ? {
        readonly [Name in keyof Declared]: Declared[Name] extends Field<infer Rule, infer Type>
          ? Rule extends 'repeated'
            ? readonly ReadValue<Type>[]
            : Rule extends 'optional'
              ? ReadValue<Type> | undefined
              : ReadValue<Type>
          : never;
      }
    : never;
type Content<Id extends ChannelId> = ReadContent<(typeof channels)[Id]['body']['message']>;

/** Fields of the wrapper and the channels that push them. */
interface ChannelOfBody {
  readonly privateAccount: 'account';
  readonly privateDeals: 'deals';
  readonly privateOrders: 'orders';
  readonly publicAggreDeals: 'aggreDeals';
  readonly publicAggreDepths: 'aggreDepth';
  readonly publicAggreBookTicker: 'aggreBookTicker';
  readonly publicLimitDepths: 'limitDepth';
  readonly publicBookTickerBatch: 'bookTickerBatch';
  readonly publicSpotKline: 'kline';
  readonly publicMiniTicker: 'miniTicker';
  readonly publicMiniTickers: 'miniTickers';
}

/** A push as it was read. */
export interface ReadPush extends Read {
  readonly channel: string;
  readonly symbol?: string;
  readonly createTime?: bigint;
  readonly sendTime?: bigint;
  readonly body:
    | {
        [Case in keyof ChannelOfBody]: { readonly case: Case; readonly value: Content<ChannelOfBody[Case]> };
      }[keyof ChannelOfBody]
    | { readonly case: undefined; readonly value?: undefined };
}

const packageName = 'bourse.push';
const types = {
  string: FieldDescriptorProto_Type.STRING,
  int32: FieldDescriptorProto_Type.INT32,
  int64: FieldDescriptorProto_Type.INT64,
  bool: FieldDescriptorProto_Type.BOOL,
} as const;

/** Optional fields stand alone in a group of their own, behind the groups that the schema names. */
function fieldOf({ name, number, type, rule }: ProtoField, groups: string[]) {
  const isScalar = type in types;
  if (rule === 'optional') groups.push(`_${name}`);
  return {
    name,
    jsonName: name,
    number,
    label: rule === 'repeated' ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
    type: isScalar ? types[type as keyof typeof types] : FieldDescriptorProto_Type.MESSAGE,
    ...(isScalar ? {} : { typeName: `.${packageName}.${type}` }),
    ...(rule === 'optional' ? { proto3Optional: true, oneofIndex: groups.length - 1 } : {}),
    ...(rule === 'oneof' ? { oneofIndex: 0 } : {}),
  } satisfies Partial<FieldDescriptorProto>;
}

/** The wrapper as a schema in protobuf's own language describes it. */
function wrapperOf(schema: string): DescMessage {
  const messageType = readProto(schema).map(({ name, fields }) => {
    const groups = fields.some(({ rule }) => rule === 'oneof') ? ['body'] : [];
    const field = fields.map((each) => fieldOf(each, groups));
    return { name, field, oneofDecl: groups.map((group) => ({ name: group })) };
  });
  const file = create(FileDescriptorProtoSchema, {
    name: 'push.proto',
    package: packageName,
    syntax: 'proto3',
    messageType,
  });
  const wrapper = createFileRegistry(file, () => undefined).getMessage(`${packageName}.PushDataV3ApiWrapper`);
  if (wrapper === undefined) throw new Error('the schema has no wrapper');
  return wrapper;
}

/** The wrapper of the schema for download. */
export const wrapperSchema = wrapperOf(pushProto);

/** Reads the payload of a binary frame. */
export const readBinary = (payload: Uint8Array): ReadPush => fromBinary(wrapperSchema, payload) as unknown as ReadPush;

/** Reads the payload of a text frame. */
export const readText = (payload: string): ReadPush => fromJsonString(wrapperSchema, payload) as unknown as ReadPush;
