import { Box, Grid } from '@chakra-ui/react';
import type { Member } from '@orchestrate/shared';
import { Section } from '../../../ui/section.tsx';
import type { MemberRights } from '../member-rights.ts';
import { ActivationCodePanel } from './activation-code-panel.tsx';

/** Both activation codes of a member, side by side where there is room. */
export function ActivationCodes({ member, rights }: { member: Member; rights: MemberRights }) {
  return (
    <Section title="Activation codes" isFlush>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', xs: 'repeat(2, minmax(0, 1fr))' }}>
        <Box p="5">
          <ActivationCodePanel member={member} app="mobile" rights={rights} />
        </Box>
        <Box p="5" borderStartWidth={{ base: '0', xs: '1px' }} borderTopWidth={{ base: '1px', xs: '0' }}>
          <ActivationCodePanel member={member} app="desktop" rights={rights} />
        </Box>
      </Grid>
    </Section>
  );
}
