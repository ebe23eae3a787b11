import { chakra, Flex, Text } from '@chakra-ui/react';
import { Modal } from '../../ui/modal.tsx';
import { BrandingDrawing } from './branding-drawing.tsx';
import { brandingParts } from './branding-parts.ts';

/** Shows in a drawing where each field of the branding appears. */
export function BrandingHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal isOpen={isOpen} onClose={onClose} title="Where each field appears" size="lg">
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
