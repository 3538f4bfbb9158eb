import { flag, integer } from '#model/codec/field-codec.ts';
import { command, type SeldomCommand } from '#model/codec/seldom-command.ts';
import type { ProposalCommand } from '#model/proposal.ts';

type Kinds = ProposalCommand['kind'];

/** Commands about what waits for a second operator in the journal; see `seldomCommands`. */
export const proposalCommands: { readonly [Kind in Kinds]: SeldomCommand<Kind> } = {
  approveProposal: command(95, 'approveProposal', { proposal: integer() }),
  cancelProposal: command(96, 'cancelProposal', { proposal: integer() }),
  setAlone: command(97, 'setAlone', { enabled: flag }),
  endProposals: command(98, 'endProposals', {}),
};
