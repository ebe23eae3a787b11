import { Box, Grid } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Device, Member } from '@orchestrate/shared';
import { Section } from '../../../ui/section.tsx';
import type { MemberRights } from '../member-rights.ts';
import { ActivationCodePanel } from './activation-code-panel.tsx';

interface ActivationCodesProps {
  member: Member;
  /** The member's registered devices. */
  devices: readonly Device[];
  rights: MemberRights;
}

/** Both activation codes of a member, side by side where there is room. */
export function ActivationCodes(props: ActivationCodesProps) {
  return (
    <Section title={t`Activation codes`} isFlush>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', xs: 'repeat(2, minmax(0, 1fr))' }}>
        <Box p="5">
          <ActivationCodePanel {...props} app="mobile" />
        </Box>
        <Box p="5" borderStartWidth={{ base: '0', xs: '1px' }} borderTopWidth={{ base: '1px', xs: '0' }}>
          <ActivationCodePanel {...props} app="desktop" />
        </Box>
      </Grid>
    </Section>
  );
}
