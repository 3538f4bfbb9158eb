import type { AnswerOf } from '#client/client.ts';
import { useAct, useAnswer } from '#web/data/use-answer.ts';
import { session } from '#web/data/session.ts';
import { Button } from '#web/design/button.tsx';
import { type Fact, Facts, Refused } from '#web/design/facts.tsx';
import { AccountFrame } from '#web/pages/account/account-frame.tsx';
import { WhenRead } from '#web/shell/when-read.tsx';

const levels: Readonly<Record<AnswerOf<'kycStatus'>['status'], string>> = {
  1: 'Unverified',
  2: 'Primary',
  3: 'Advanced',
  4: 'Institutional',
};

const yesOrNo = (may: boolean): string => (may ? 'Yes' : 'No');

function Identity() {
  const answer = useAnswer(async (client) => {
    const [{ uid }, { status }] = await Promise.all([client.uid(), client.kycStatus()]);
    return { uid, status };
  }, []);
  return (
    <div class="card panel">
      <h2>Identity</h2>
      <WhenRead answer={answer} what="the identity">
        {({ uid, status }) => (
          <Facts
            facts={[
              ['Name', session.value?.name],
              ['Number of the account', <span class="number">{uid}</span>],
              ['Identification', levels[status]],
            ]}
          />
        )}
      </WhenRead>
      <p class="note">By this number others send you money, and groups name you.</p>
    </div>
  );
}

function Rights() {
  const answer = useAnswer((client) => client.account(), []);
  return (
    <div class="card panel">
      <h2>What this key may do</h2>
      <WhenRead answer={answer} what="the rights">
        {({ canTrade, canWithdraw, canDeposit, permissions }) => {
          const facts: readonly Fact[] = [
            ['Trade', yesOrNo(canTrade)],
            ['Withdraw', yesOrNo(canWithdraw)],
            ['Deposit', yesOrNo(canDeposit)],
            ['Markets', permissions.join(', ')],
          ];
          return <Facts facts={facts} />;
        }}
      </WhenRead>
    </div>
  );
}

/** Whether fees are paid in the platform's token, and the switch. */
function FeeDeduction() {
  const answer = useAnswer((client) => client.feeDeduction(), []);
  const act = useAct();
  const turn = async (svcDeductEnable: boolean): Promise<void> => {
    if (await act.run(async (client) => void (await client.enableFeeDeduction({ svcDeductEnable })))) answer.reload();
  };
  return (
    <div class="card panel">
      <h2>Fees in SVC</h2>
      <p class="soft">Fees are paid in the platform's token, at a discount, while there is enough of it.</p>
      <WhenRead answer={answer} what="the switch">
        {({ svcDeductEnable }) => (
          <Button disabled={act.isBusy} aria-pressed={svcDeductEnable} onClick={() => void turn(!svcDeductEnable)}>
            {svcDeductEnable ? 'On: turn it off' : 'Off: turn it on'}
          </Button>
        )}
      </WhenRead>
      <Refused text={act.refusal?.text ?? null} />
    </div>
  );
}

/** Who one is here, and what one may do. */
export const Page = () => (
  <AccountFrame title="Account">
    <div class="card-grid">
      <Identity />
      <Rights />
      <FeeDeduction />
    </div>
  </AccountFrame>
);
