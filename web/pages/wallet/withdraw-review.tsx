import { useState } from 'preact/hooks';
import type { Act } from '#web/data/use-answer.ts';
import { type CoinNetwork, networkName, newActId } from '#web/data/wallet.ts';
import { GroupedAddress } from '#web/design/copy-button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { say } from '#web/design/toasts.tsx';
import { Sum } from '#web/design/values.tsx';
import { arriving, type WithdrawDraft } from '#web/pages/wallet/withdraw-draft.ts';

interface ReviewProps {
  readonly coin: string;
  readonly network: CoinNetwork;
  readonly draft: WithdrawDraft;
  readonly act: Act;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/**
 * Everything about a withdrawal before it is asked for. It goes under an id that stays while this is open: what had no
 * answer is looked for, and not asked for twice. DEC-WEB-34.
 */
export function WithdrawReview({ coin, network, draft, act, onClose, onDone }: ReviewProps) {
  const [withdrawOrderId] = useState(newActId);
  const { address, memo, amount, remark } = draft;
  const confirm = async (): Promise<void> => {
    const optional = { ...(memo === '' ? {} : { memo }), ...(remark === '' ? {} : { remark }) };
    const isDone = await act.run(async (client) => {
      await client.withdraw({ coin, netWork: network.netWork, address, amount, withdrawOrderId, ...optional });
    });
    if (!isDone) return;
    say(`Withdrawal of ${amount} ${coin} was accepted.`, 'good');
    onDone();
  };
  return (
    <ConfirmDialog
      title={`Withdraw ${coin}`}
      act="Withdraw now"
      isBusy={act.isBusy}
      refused={act.refusal?.text ?? null}
      onConfirm={() => void confirm()}
      onClose={onClose}
      facts={[
        ['To', <GroupedAddress address={address} />, 'left'],
        ['Memo', memo === '' ? network.sameAddress ? 'none' : null : <span class="code">{memo}</span>],
        ['Network', networkName(network)],
        ['Remark', remark],
        ['Your account pays', <Sum value={amount} coin={coin} />],
        ['Fee, inside that', <Sum value={network.withdrawFee} coin={coin} />],
        ['Arrives', <Sum value={arriving(amount, network)} coin={coin} />, 'strong'],
      ]}
    >
      <p class="note">
        What is sent cannot be taken back: compare the address. Where it belongs to somebody on this exchange, it is
        there at once, and without a fee.
      </p>
    </ConfirmDialog>
  );
}
