import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Modal } from '../../ui/modal.tsx';
import { BrandingDrawing } from './branding-drawing.tsx';

/** Where each field of the branding appears on the sign-in page, in the order of the drawing's numbers. */
const brandingParts = [
  { field: t`Name`, where: t`Next to the mark in the brand panel, and in emails.` },
  { field: t`Colour`, where: t`The brand panel, the main button, links and selected items.` },
  {
    field: t`Banner text`,
    where: t`Large in the brand panel; its first short sentence is the headline. Not on a phone.`,
  },
  { field: t`Copyright text`, where: t`At the foot of the brand panel; on a phone at the foot of the page.` },
  { field: t`Logo`, where: t`Appears above the title.` },
  { field: t`Title`, where: t`The heading of the page and the name of the browser tab.` },
  { field: t`Login button name`, where: t`On the main button.` },
] as const;

/** Shows in a drawing where each field of the branding appears. */
export function BrandingHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal isOpen={isOpen} onClose={onClose} title={t`Where each field appears`} size="lg">
      <Flex direction="column" gap="5">
        <BrandingDrawing />
        <chakra.ol display="flex" flexDirection="column" gap="2" ps="5" listStyleType="decimal">
          {brandingParts.map(({ field, where }) => (
            <li key={field}>
              <Text as="span" fontWeight="medium">
                {field}
              </Text>{' '}
              <Text as="span" color="fg.muted">
                {where}
              </Text>
            </li>
          ))}
        </chakra.ol>
      </Flex>
    </Modal>
  );
}
