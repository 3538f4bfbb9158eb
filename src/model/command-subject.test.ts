import { expect, test } from 'vitest';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Command } from '#model/command.ts';
import { accountOfCommand } from '#model/command-subject.ts';
import { operated } from '#test/operated.ts';

const [master, sub] = [as<AccountId>(5), as<AccountId>(6)];
const none = null as never;
const rates = { referralPpm: 0, subAffiliatePpm: 0, thirdPpm: 0, kickbackPpm: 0 };
const transfer = { fromWallet: 'spot', toWallet: 'spot', asset: none, amount: none, clientTranId: null } as const;

const cases: readonly (readonly [Command, AccountId | null])[] = [
  [{ kind: 'openSubAccount', master, name: '', note: '', passwordHash: null, atMost: 0 }, master],
  [{ kind: 'enableFutures', master, account: sub }, master],
  [{ kind: 'makeUniversalTransfer', master, from: sub, to: sub, ...transfer }, master],
  [{ kind: 'addToStpGroup', master, group: 1, members: [sub] }, master],
  [{ kind: 'setAccountClass', account: sub, class: 'user' }, sub],
  [{ kind: 'createInviteCode', owner: sub, code: '', campaign: null }, sub],
  [{ kind: 'setRebateRates', inviter: sub, product: 'spot', ...rates }, sub],
  [{ kind: 'rejectRebates', beneficiary: sub, source: master, day: none }, sub],
  [{ kind: 'settleRebates', day: none }, null],
  [{ kind: 'recordClicks', code: '', minute: none, count: 1 }, null],
  [{ kind: 'advanceClock' }, null],
  [operated('erin', { kind: 'setKycLevel', account: sub, kycLevel: 1 }), sub],
  [{ kind: 'openAccount', uid: none, name: '', master, class: 'user', kycLevel: 1, simulated: false }, null],
  [
    {
      kind: 'registerAccount',
      ...{ uid: null, name: '', class: 'user', kycLevel: 1, simulated: false, email: null, mobile: null },
      inviteCode: '00000',
    },
    null,
  ],
];

test.for(cases)('a command comes from whoever it is blamed on: $0.kind', ([command, account]) => {
  expect(accountOfCommand(command)).toBe(account);
});
