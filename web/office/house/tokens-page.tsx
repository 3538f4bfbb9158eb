import { LongField } from '#web/design/long-field.tsx';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';

/** Tokens of operators: who has one, and what it opens. */
export const Page = () => (
  <OfficePage title="Tokens" scope="tokens:write">
    <ListPart
      title="Tokens"
      id="listTokens"
      members={{ limit: 100 }}
      keyOf={({ id }) => id}
      empty="Only the token of the configuration opens this office."
      columns={[
        'actor',
        { title: 'Id', cell: ({ id }) => `${id.slice(0, 16)}…` },
        { title: 'May', cell: ({ scopes }) => scopes.join(', '), style: 'office-wide' },
        ...(['createdAt', 'expiresAt'] as const),
      ]}
      acts={(reload) => (
        <ActButton
          id="createToken"
          title="Create a token"
          onDone={reload}
          show={({ actor, token }) => (
            <>
              <p>The token of {actor} is shown now and never again.</p>
              <LongField label="Token" value={token} onInput={() => {}} />
            </>
          )}
        />
      )}
      rowActs={({ id, actor }, reload) => (
        <ActButton
          id="revokeToken"
          label="Revoke"
          title={`Revoke a token of ${actor}`}
          fixed={{ id }}
          onDone={reload}
        />
      )}
    />
  </OfficePage>
);
