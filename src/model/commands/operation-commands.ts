import { command } from '#model/commands/command-declaration.ts';
import { flag, integer, list, nullable, oneOf, text, time } from '#model/codec/field-codec.ts';
import { bannedTarget } from '#model/ban.ts';
import { limitedTarget, rateTerms } from '#model/operator-rate-limit.ts';
import { profiles } from '#model/profile.ts';
import { tradingStates } from '#model/trading.ts';
import type { Seq, AccountId, Digest } from '#model/units.ts';

/** Commands of those who run the exchange, and of the process itself. */
export const operationCommands = {
  /** Until a wall-clock moment; `until` 0 lifts it. `times` counts the ladder's steps. */
  banAddress: command(20, {
    address: text(),
    until: time(),
    times: integer(),
  }),
  /** An operator bans an address, an account or a key; `until` null: until it is lifted. DEC-OPR-175. */
  setBan: command(106, {
    ...bannedTarget.members,
    until: nullable(time()),
    reason: text(),
  }),
  /** Lifts such a ban, and that of the ladder. DEC-OPR-178. */
  liftBan: command(107, bannedTarget.members),
  /** An operator sets the rate limit of an address, an account or a key, in place of any before. DEC-OPR-179. */
  setRateLimit: command(108, {
    ...limitedTarget.members,
    ...rateTerms.members,
    until: nullable(time()),
    reason: text(),
  }),
  /** Lifts such a limit: the limits of everybody hold again. */
  liftRateLimit: command(109, limitedTarget.members),
  /** Advances engine time and changes nothing else. */
  advanceClock: command(21, {}),
  /**
   * The rolling digest of events after entry `at`, a multiple of the digest interval. A replay with another digest
   * stops.
   */
  assertDigest: command(22, {
    at: integer<Seq>(),
    digest: text<Digest>(),
  }),
  /** Activates this later version of the rules; see `model/rules.ts`. */
  activateRules: command(26, {
    version: integer(),
  }),
  /**
   * First entry of a new epoch: the engine could not apply entry `seq`, so the entries `seq` to `lastSeq` were
   * quarantined. `account` is the account of that command, `null` if it has none.
   */
  recordQuarantine: command(27, {
    seq: integer<Seq>(),
    lastSeq: integer<Seq>(),
    account: nullable(integer<AccountId>()),
    commandKind: text(),
    invariant: text(),
  }),
  /** What this exchange is run for: the first entry of every journal, and never changed. DEC-OPR-100. */
  recordProfile: command(75, {
    profile: oneOf(profiles),
  }),
  /** The key under which ids of the wallet are printed, sealed; a later one takes its place. DEC-WAL-171. */
  recordIdKey: command(94, {
    sealedKey: text(),
  }),
  /** Numbers that clients see in ids are greater from now on, and the first `uids` are passed over. DEC-KIT-13. */
  raiseNumbers: command(140, {
    number: integer(),
    uids: integer(),
  }),
  /** Somebody asked for a backup of this name: it is made outside of the engine, and told by the audit. DEC-OPR-243. */
  recordBackup: command(141, {
    name: text(),
  }),
  /** Opens or halts all trading. DEC-OPR-166. */
  setTrading: command(100, {
    state: oneOf(tradingStates),
    reason: text(),
  }),
  createOperatorToken: command(49, {
    tokenHash: text(),
    actor: text(),
    scopes: list(text()),
    expiresAt: time(),
  }),
  deleteOperatorToken: command(50, {
    tokenHash: text(),
  }),
  /** Whether one operator runs the exchange alone: then a lowering waits for a day instead of a second person. */
  setAlone: command(97, {
    enabled: flag,
  }),
  /** The acting operator is the second person, and the change is made. */
  approveProposal: command(95, {
    proposal: integer(),
  }),
  cancelProposal: command(96, {
    proposal: integer(),
  }),
  /** Ends what is a day old: it expires, or takes effect where one operator runs the exchange alone. */
  endProposals: command(98, {}),
};
