import type { Clock, Repeat } from '#base/clock.ts';
import { isoTime } from '#base/clock.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import type { Proposal } from '#model/proposal.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What following proposals needs of the exchange. */
export interface ProposalUpkeepOptions {
  readonly ingress: CommandIngress;
  readonly queries: Pick<ExchangeQueries, 'safety'>;
  /** The exchange's clock, by which proposals end. */
  readonly clock: Clock;
  readonly repeat: Repeat;
  /** Time between two runs. */
  readonly everyMs: number;
  /** Logs what an operator should see, in a sentence. */
  readonly notice: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/**
 * Starts to follow what waits for a second operator: each poll raises the alarm for what is newly open, once a start,
 * and ends what is a day old. A poll at which nothing is due submits nothing. DEC-OPR-144, DEC-OPR-145.
 */
export function startProposalUpkeep(options: ProposalUpkeepOptions): PollingWorker {
  const { ingress, queries, clock, repeat, everyMs, notice, onTrouble } = options;
  let lastTold = 0;
  const poll = async (): Promise<void> => {
    for (const proposal of await queries.safety.proposals()) {
      if (proposal.proposal <= lastTold) continue;
      lastTold = proposal.proposal;
      if (proposal.state === 'open') notice(alarmOf(proposal));
    }
    if (await queries.safety.haveProposalsEnded(as<TimestampMs>(clock.now())))
      await ingress.submit({ kind: 'endProposals' });
  };
  return startPolling({ what: 'following proposals', poll, repeat, everyMs, skippedMax: 64, onTrouble });
}

function alarmOf({ proposal, madeBy, command, lowered, isAlone, endsAt }: Proposal): string {
  const wish = command.kind === 'adjustBalance' ? 'adjust a balance' : `lower a protection (${lowered.join(', ')})`;
  const asked = `Proposal ${proposal}: ${madeBy} asks to ${wish}`;
  const end = isoTime(endsAt);
  return isAlone
    ? `${asked}. It takes effect at ${end} unless it is cancelled.`
    : `${asked}. Another operator has to approve it before ${end}.`;
}
