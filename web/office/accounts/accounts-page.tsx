import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { TimeText } from '#web/design/values.tsx';
import { type Finder, finderOf, finders, queryOf } from '#web/office/accounts/account-queries.ts';
import { labelOf } from '#web/office/data/member-texts.ts';
import { useList } from '#web/office/data/use-office.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ListView } from '#web/office/parts/reading-view.tsx';

interface Asked {
  readonly finder: Finder;
  readonly words: string;
}

function Found({ finder, words }: Asked) {
  const list = useList('listAccounts', queryOf(finder, words));
  return (
    <ListView
      list={list}
      label="Accounts"
      keyOf={({ uid }) => String(uid)}
      empty="No account is found by that."
      columns={[
        { title: 'Uid', cell: ({ uid }) => <a href={`/accounts/${uid}`}>{uid}</a> },
        { title: 'Name', cell: ({ name }) => name, style: 'office-wide' },
        {
          title: 'State',
          cell: ({ status }) => <span class={status === 'normal' ? undefined : 'down'}>{status}</span>,
        },
        { title: 'Class', cell: ({ class: of }) => of },
        { title: 'KYC', cell: ({ kycLevel }) => kycLevel, isRight: true },
        { title: 'Mail', cell: ({ email }) => email ?? '–' },
        {
          title: 'Master',
          cell: ({ uid, masterUid }) => (uid === masterUid ? '–' : <a href={`/accounts/${masterUid}`}>{masterUid}</a>),
        },
        { title: 'Opened', cell: ({ openedAt }) => <TimeText at={openedAt} /> },
      ]}
    />
  );
}

function Search() {
  const [words, setWords] = useState('');
  const [by, setBy] = useState<Finder | ''>('');
  const [asked, setAsked] = useState<Asked>({ finder: 'name', words: '' });
  const find = (): void => {
    const given = words.trim();
    setAsked({ finder: by === '' ? finderOf(given) : by, words: given });
  };
  return (
    <Part title="Find">
      <form
        class="office-filters wide-first"
        onSubmit={(event) => {
          event.preventDefault();
          find();
        }}
      >
        <Field
          label="What belongs to it"
          value={words}
          onInput={setWords}
          placeholder="Name, uid, mail, key, address, order or transaction"
        />
        <ChoiceField
          label="As"
          value={by}
          choices={[
            { value: '', text: 'what it looks like' },
            ...finders.map((finder) => ({ value: finder, text: labelOf(finder) })),
          ]}
          onChoose={setBy}
        />
        <Button kind="primary" type="submit">
          Find
        </Button>
      </form>
      <Found {...asked} />
    </Part>
  );
}

/** Accounts, found by whatever belongs to them. DEC-WEB-46. */
export const Page = () => (
  <OfficePage
    title="Accounts"
    scope="accounts:read"
    acts={<ActButton id="registerAccount" title="Register an account" isSmall={false} />}
  >
    <Search />
  </OfficePage>
);
