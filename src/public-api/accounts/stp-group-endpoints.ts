import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import * as field from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';

const { groupNameLength } = wireLimits.subAccounts;
const shared = { surface: 'spot', envelope: 'group', weight: { ip: 20 } } as const;
const reads = signed('SPOT_ACCOUNT_READ', 'master');
const writes = signed('SPOT_ACCOUNT_WRITE', 'master');

/** DEC-SUB-50. */
const groupName = () =>
  field.described(field.wellFormed(groupNameLength), {
    type: 'string',
    description: 'Name of the group, unique among yours.',
    max: groupNameLength,
    example: 'desk',
  });

/** Stock clients misspell the name of this parameter. DEC-SUB-50. */
const groupId = () =>
  field.described(
    field.integer({ min: 1, max: 999_999_999_999_999 }, 'Number of the group; ttradeGroupId is read as well.'),
    {
      type: 'integer',
      description: 'Number of the group; ttradeGroupId is read as well.',
      min: 1,
      alias: 'ttradeGroupId',
      example: '1',
    },
  );

const uidPattern = /^[1-9]\d{0,14}$/;
/** Each once, in the order of the list; whose they are is judged by the handler. */
const uidList = () =>
  field.described(
    z
      .string()
      .transform((text) => [...new Set(text.split(',').map((uid) => uid.trim()))])
      .refine((uids) => uids.every((uid) => uidPattern.test(uid)), { error: 'must be UIDs, separated by commas' })
      .transform((uids) => uids.map(Number)),
    {
      type: 'list',
      description: 'UIDs of this account or of its sub-accounts, separated by commas.',
      min: 1,
      example: '10000001',
    },
  );

const groupShape = {
  tradeGroupName: z.string(),
  tradeGroupId: z.number().int(),
  createTime: answer.moment(),
  updateTime: answer.moment(),
};
const uidText = z.string().meta({ examples: ['90000001,90000002', ''] });

const addStpMembers = endpoint.post('/api/v3/strategy/group/uid', {
  ...shared,
  spec: ['SPEC-STP-05', 'SPEC-STP-07', 'SPEC-STP-10', 'DEC-SUB-06', 'DEC-SUB-08'],
  name: 'Add STP group members',
  summary: 'Adds accounts to a group and answers the UIDs of the request.',
  notes: 'An account may be in several groups; adding one that is in the group already succeeds.',
  access: writes,
  request: z.object({ uid: uidList(), tradeGroupId: groupId() }),
  response: z.object({ ...groupShape, tradeGroupUid: uidText }),
  errors: ['parameterRequired', 'invalidParameter', 'recordNotFound', 'unknownSubAccount', 'subAccountForbidden'],
  example: { uid: '10000001', tradeGroupId: '1' },
});

/** Endpoints of groups of self-trade prevention. */
export const stpGroupEndpoints = {
  createStpGroup: endpoint.post('/api/v3/strategy/group', {
    ...shared,
    spec: ['SPEC-STP-02', 'SPEC-STP-07', 'SPEC-STP-08', 'SPEC-STP-10', 'DEC-SUB-06', 'DEC-SUB-50'],
    name: 'Create STP group',
    summary: 'Makes a group of accounts that do not trade with each other when an order asks for it.',
    notes: 'At most 10 groups.',
    access: writes,
    request: z.object({ tradeGroupName: groupName() }),
    response: z.object(groupShape),
    errors: ['parameterRequired', 'invalidParameter', 'operationNotAllowed'],
    example: { tradeGroupName: 'desk' },
  }),
  stpGroups: endpoint.get('/api/v3/strategy/group', {
    ...shared,
    spec: ['SPEC-STP-03', 'SPEC-STP-07', 'SPEC-STP-10'],
    name: 'Query STP group',
    summary: 'The group of a name with its members, as a list of one; an empty list if there is none.',
    access: reads,
    request: z.object({ tradeGroupName: groupName() }),
    response: z.array(z.object({ ...groupShape, tradeGroupUid: uidText })),
    errors: ['parameterRequired', 'invalidParameter'],
    example: { tradeGroupName: 'desk' },
  }),
  deleteStpGroup: endpoint.delete('/api/v3/strategy/group', {
    ...shared,
    spec: ['SPEC-STP-04', 'SPEC-STP-07', 'SPEC-STP-10', 'DEC-SUB-06', 'DEC-SUB-07'],
    name: 'Delete STP group',
    summary: 'Removes a group with all its memberships.',
    access: writes,
    request: z.object({ tradeGroupId: groupId() }),
    response: z.boolean(),
    errors: ['parameterRequired', 'invalidParameter', 'recordNotFound'],
    example: { tradeGroupId: '1' },
  }),
  addStpMembers,
  addStpMembersByGet: endpoint.get('/api/v3/strategy/group/uid', {
    ...addStpMembers,
    changesState: true,
    name: 'Add STP members by GET',
    summary: 'The same as POST on this path.',
    notes: 'It changes state, although it is a GET.',
  }),
  removeStpMembers: endpoint.delete('/api/v3/strategy/group/uid', {
    ...shared,
    spec: ['SPEC-STP-06', 'SPEC-STP-07', 'SPEC-STP-10', 'DEC-SUB-06'],
    name: 'Remove STP group members',
    summary: 'Removes accounts from a group; one that is not in it is no fault.',
    access: writes,
    request: z.object({ uid: uidList(), tradeGroupId: groupId() }),
    response: z.boolean(),
    errors: ['parameterRequired', 'invalidParameter', 'recordNotFound', 'unknownSubAccount', 'subAccountForbidden'],
    example: { uid: '10000001', tradeGroupId: '1' },
  }),
};
