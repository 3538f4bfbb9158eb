import { useState } from 'preact/hooks';
import type { AnswerOf, BourseClient } from '#client/client.ts';
import { useAct, useAnswer } from '#web/data/use-answer.ts';
import { Button } from '#web/design/button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { Facts, Refused } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { say } from '#web/design/toasts.tsx';
import { TimeText } from '#web/design/values.tsx';
import { AccountFrame } from '#web/pages/account/account-frame.tsx';
import { readSubAccounts } from '#web/pages/account/read-sub-accounts.ts';
import { WhenRead } from '#web/shell/when-read.tsx';

type Group = AnswerOf<'stpGroups'>[number];

/** An account that may be in a group. */
interface Member {
  readonly uid: string;
  readonly name: string;
}

/** This account and its sub-accounts. */
async function readMembers(client: BourseClient): Promise<readonly Member[]> {
  const [{ uid }, accounts] = await Promise.all([client.uid(), readSubAccounts(client)]);
  return [{ uid, name: 'This account' }, ...accounts.map((each) => ({ uid: each.uid, name: each.subAccount }))];
}

const uidsOf = ({ tradeGroupUid }: Group): readonly string[] => tradeGroupUid.split(',').filter((uid) => uid !== '');

interface GroupCardProps {
  readonly group: Group;
  readonly members: readonly Member[];
  readonly onChange: () => void;
  readonly onRemoved: () => void;
}

/** A group with its members, who can be added and removed. */
function GroupCard({ group, members, onChange, onRemoved }: GroupCardProps) {
  const uids = uidsOf(group);
  const others = members.filter(({ uid }) => !uids.includes(uid));
  const [chosen, setChosen] = useState('');
  const [isEnding, setEnding] = useState(false);
  const act = useAct();
  const { tradeGroupId, tradeGroupName } = group;
  const next = others.find(({ uid }) => uid === chosen) ?? others[0];
  const nameOf = (uid: string): string => members.find((member) => member.uid === uid)?.name ?? uid;
  const change = async (work: (client: BourseClient) => Promise<unknown>): Promise<void> => {
    if (await act.run(async (client) => void (await work(client)))) onChange();
  };
  const end = async (): Promise<void> => {
    if (!(await act.run(async (client) => void (await client.deleteStpGroup({ tradeGroupId }))))) return;
    say(`The group ${tradeGroupName} is gone.`, 'good');
    onRemoved();
  };
  return (
    <div class="card panel">
      <h2>{tradeGroupName}</h2>
      <Facts
        facts={[
          ['Number', <span class="number">{tradeGroupId}</span>],
          ['Made', <TimeText at={group.createTime} />],
        ]}
      />
      <ul class="member-list" aria-label="Members">
        {uids.map((uid) => (
          <li key={uid}>
            <span>
              {nameOf(uid)} <small class="soft number">{uid}</small>
            </span>
            <Button
              isSmall
              disabled={act.isBusy}
              aria-label={`Remove ${nameOf(uid)}`}
              onClick={() => void change((client) => client.removeStpMembers({ uid, tradeGroupId }))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {uids.length === 0 ? <p class="soft">It has no members.</p> : null}
      {next === undefined ? null : (
        <div class="panel-tools">
          <ChoiceField
            label="Add"
            value={next.uid}
            choices={others.map(({ uid, name }) => ({ value: uid, text: `${name} · ${uid}` }))}
            onChoose={setChosen}
          />
          <Button
            disabled={act.isBusy}
            onClick={() => void change((client) => client.addStpMembers({ uid: next.uid, tradeGroupId }))}
          >
            Add
          </Button>
        </div>
      )}
      <Refused text={act.refusal?.text ?? null} />
      <Button onClick={() => setEnding(true)}>Remove the group</Button>
      {isEnding ? (
        <ConfirmDialog
          title="Remove the group?"
          act="Remove it"
          isHarsh
          facts={[
            ['Group', tradeGroupName],
            ['Members', `${uids.length}`],
          ]}
          isBusy={act.isBusy}
          refused={act.refusal?.text ?? null}
          onConfirm={() => void end()}
          onClose={() => setEnding(false)}
        />
      ) : null}
    </div>
  );
}

function Groups() {
  const [name, setName] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const members = useAnswer(readMembers, []);
  const found = useAnswer(
    async (client) => (asked === null ? [] : await client.stpGroups({ tradeGroupName: asked })),
    [asked],
  );
  const act = useAct();
  const make = async (): Promise<void> => {
    const tradeGroupName = name.trim();
    if (!(await act.run(async (client) => void (await client.createStpGroup({ tradeGroupName }))))) return;
    say(`Made the group ${tradeGroupName}.`, 'good');
    setAsked(tradeGroupName);
    if (asked === tradeGroupName) found.reload();
  };
  return (
    <>
      <form
        class="card panel narrow"
        onSubmit={(event) => {
          event.preventDefault();
          act.forget();
          setAsked(name.trim());
        }}
      >
        <p class="soft">
          Orders of accounts in one group do not trade with each other, where the order says what to cancel instead. The
          API finds groups by their whole name, and does not list them.
        </p>
        <Field label="Name of the group" value={name} onInput={setName} fault={act.refusal?.text ?? null} />
        <div class="panel-tools">
          <Button kind="primary" type="submit" disabled={name.trim() === ''}>
            Find
          </Button>
          <Button disabled={name.trim() === '' || act.isBusy} onClick={() => void make()}>
            Make a group of this name
          </Button>
        </div>
      </form>
      {asked === null ? null : (
        <WhenRead answer={found} what="the group">
          {(groups) =>
            groups.length === 0 ? (
              <p class="note" role="status">
                There is no group named {asked}.
              </p>
            ) : (
              groups.map((group) => (
                <GroupCard
                  key={group.tradeGroupId}
                  group={group}
                  members={members.value ?? []}
                  onChange={found.reload}
                  onRemoved={() => setAsked(null)}
                />
              ))
            )
          }
        </WhenRead>
      )}
    </>
  );
}

/** Groups whose accounts do not trade with each other. DEC-WEB-38. */
export const Page = () => (
  <AccountFrame title="STP groups">
    <Groups />
  </AccountFrame>
);
