import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import * as field from '#public-api/declaration/fields.ts';
import * as key from '#public-api/declaration/key-fields.ts';
import { wireLimits } from '#http/limits.ts';
import * as money from '#public-api/declaration/money-fields.ts';

const { broker: limits } = wireLimits;
const shared = { surface: 'spot', weight: { ip: 1 } } as const;
const ownSubAccount = key.subAccountName('Name of a sub-account of the broker.');
/** A time as text, as stock clients of brokers read it. */
const momentText = () =>
  z
    .string()
    .regex(/^\d+$/)
    .meta({ examples: ['1700000000000'] });
const subAccountEntry = z.object({ subAccount: z.string(), note: z.string(), timestamp: momentText() });

const permissions = z.string().meta({ examples: ['SPOT_DEAL_READ,SPOT_DEAL_WRITE'] });
/** When a key ends by itself. DEC-REQ-147. */
const endTime = answer.moment().nullable();
const addresses = z.string().meta({ examples: ['203.0.113.7'] });

/** Endpoints of sub-accounts of brokers and their keys. */
export const brokerSubAccountEndpoints = {
  openBrokerSubAccount: endpoint.post('/api/v3/broker/sub-account/virtualSubAccount', {
    ...shared,
    spec: ['SPEC-BRK-01', 'SPEC-BRK-12', 'DEC-SUB-01', 'DEC-SUB-03', 'DEC-SUB-14', 'DEC-SUB-56'],
    envelope: 'broker',
    name: 'Open customer account',
    summary: 'Opens a sub-account of the broker.',
    notes: 'With a password, withdrawals of the sub-account ask for it. Only a hash of it is kept.',
    access: signed('SPOT_ACCOUNT_READ', 'broker'),
    money: true,
    request: z.object({
      subAccount: key.newSubAccountName(),
      note: key.note('subAccountNoteRequired'),
      password: field.optional(key.newPassword()),
    }),
    response: z.array(subAccountEntry),
    errors: [
      'subAccountNameRequired',
      'subAccountNameMalformed',
      'subAccountNoteRequired',
      'invalidParameter',
      'userNameTaken',
      'operationNotAllowed',
    ],
    example: { subAccount: 'customer001', note: 'first customer' },
  }),
  brokerSubAccounts: endpoint.get('/api/v3/broker/sub-account/list', {
    ...shared,
    spec: ['SPEC-BRK-02', 'SPEC-BRK-12', 'DEC-SUB-03', 'DEC-SUB-14'],
    envelope: 'broker',
    name: 'Customer accounts',
    summary: 'Sub-accounts of the broker by pages, in the order in which they were opened.',
    access: signed('SPOT_ACCOUNT_READ', 'broker'),
    request: z.object({
      subAccount: field.optional(ownSubAccount),
      page: money.page(),
      limit: field.limit(limits.listDefault, limits.listMax),
    }),
    response: z.array(subAccountEntry),
    errors: ['invalidParameter'],
  }),
  brokerSubAccountStatus: endpoint.get('/api/v3/broker/sub-account/status', {
    ...shared,
    spec: ['SPEC-BRK-03', 'DEC-SUB-14'],
    envelope: 'bare',
    name: 'Customer account status',
    summary: 'Whether a sub-account may act: 1 normal, 2 frozen.',
    access: signed('SPOT_ACCOUNT_READ', 'broker'),
    request: z.object({ subAccount: ownSubAccount }),
    response: z.object({ status: z.enum(['1', '2']) }),
    errors: ['subAccountNameRequired', 'unknownSubAccount'],
    example: { subAccount: 'customer001' },
  }),
  createBrokerKey: endpoint.post('/api/v3/broker/sub-account/apiKey', {
    ...shared,
    spec: ['SPEC-BRK-04', 'DEC-SUB-10', 'DEC-SUB-12', 'DEC-SUB-14', 'DEC-SUB-18'],
    envelope: 'bare',
    name: 'Create customer API key',
    summary: 'Makes an API key of a sub-account. Its secret is shown once, here.',
    notes: 'The same request again makes a second key. A lost secret cannot be found: delete its key.',
    access: signed('SPOT_ACCOUNT_READ', 'broker'),
    money: true,
    jsonLists: ['permissions', 'ip'],
    request: z.object({
      subAccount: ownSubAccount,
      permissions: key.permissionList(key.brokerPermissions),
      note: key.note('apiKeyNoteRequired'),
      ip: field.optional(key.boundAddresses(limits.boundAddresses)),
    }),
    response: z.object({
      subAccount: z.string(),
      note: z.string(),
      apikey: z.string(),
      secretKey: z.string(),
      permissions,
      ip: addresses,
      createTime: answer.moment(),
    }),
    errors: [
      'subAccountNameRequired',
      'apiKeyPermissionRequired',
      'apiKeyNoteRequired',
      'invalidParameter',
      'unknownSubAccount',
      'subAccountForbidden',
      'unknownPermission',
      'tooManyBoundAddresses',
      'boundAddressMalformed',
      'tooManyApiKeys',
    ],
    example: { subAccount: 'customer001', permissions: 'SPOT_DEAL_READ,SPOT_DEAL_WRITE', note: 'trading' },
  }),
  brokerKeys: endpoint.get('/api/v3/broker/sub-account/apiKey', {
    ...shared,
    spec: ['SPEC-BRK-04', 'DEC-SUB-14'],
    envelope: 'bare',
    name: 'Customer API keys',
    summary: 'API keys of a sub-account, without their secrets.',
    access: signed('SPOT_ACCOUNT_READ', 'broker'),
    request: z.object({ subAccount: ownSubAccount }),
    response: z.object({
      subAccount: z.array(
        z.object({
          note: z.string(),
          apiKey: z.string(),
          permissions,
          ip: addresses,
          creatTime: answer.moment(),
          endTime,
        }),
      ),
    }),
    errors: ['subAccountNameRequired', 'unknownSubAccount'],
    example: { subAccount: 'customer001' },
  }),
  deleteBrokerKey: endpoint.delete('/api/v3/broker/sub-account/apiKey', {
    ...shared,
    spec: ['SPEC-BRK-04', 'DEC-SUB-10', 'DEC-SUB-14'],
    envelope: 'bare',
    name: 'Delete customer API key',
    summary: 'Removes an API key of a sub-account.',
    access: signed('SPOT_ACCOUNT_READ', 'broker'),
    money: true,
    request: z.object({ subAccount: ownSubAccount, apiKey: key.accessKey() }),
    response: z.object({ subAccount: z.string() }),
    errors: ['subAccountNameRequired', 'accessKeyRequired', 'unknownSubAccount', 'unknownApiKey'],
    example: { subAccount: 'customer001', apiKey: 'mx0vglBqhzhnd7hVQM' },
  }),
  enableBrokerFutures: endpoint.post('/api/v3/broker/sub-account/futures', {
    ...shared,
    spec: ['SPEC-BRK-10', 'SPEC-BRK-12', 'DEC-SUB-03', 'DEC-SUB-14', 'DEC-SUB-17', 'DEC-SUB-103'],
    envelope: 'broker',
    name: 'Enable customer futures',
    summary: 'Lets money go to the futures wallet of a sub-account. It stays enabled; asking again changes nothing.',
    access: signed('SPOT_ACCOUNT_READ', 'broker'),
    request: z.object({ subAccount: ownSubAccount }),
    response: z.array(z.object({ subAccount: z.string(), isFuturesEnabled: z.boolean(), timestamp: momentText() })),
    errors: ['subAccountNameRequired', 'unknownSubAccount', 'subAccountForbidden'],
    example: { subAccount: 'customer001' },
  }),
};
