import { Button, Flex, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';
import { BrandingColumns } from './branding-columns.tsx';
import { BrandingForm } from './branding-form.tsx';
import { BrandingHelp } from './branding-help.tsx';
import { ReadState } from './read-state.tsx';
import { SettingsSkeleton } from './settings-skeleton.tsx';
import { useBranding } from './use-branding.ts';

/** Looks and texts of the organisation's sign-in page (spec 2 §2). */
export default function BrandingScreen() {
  const { read, save, image, forgetImage } = useBranding();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  return (
    <Flex direction="column" gap="6">
      <title>{t`Branding · Orchestrate`}</title>
      <PageHeader
        title={t`Branding`}
        description={t`How the sign-in page looks and what it says.`}
        action={
          <Button
            variant="outline"
            h="auto"
            minH="9"
            maxW="full"
            py="1"
            whiteSpace="normal"
            aria-haspopup="dialog"
            onClick={() => setIsHelpOpen(true)}
          >
            <CircleHelp aria-hidden />
            {t`Where each field appears`}
          </Button>
        }
      />
      <ReadState read={read} skeleton={<BrandingSkeleton />}>
        {(settings) => <BrandingForm settings={settings} save={save} image={image} onNewImage={forgetImage} />}
      </ReadState>
      <BrandingHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </Flex>
  );
}

/** The form and the preview beside it. */
function BrandingSkeleton() {
  return (
    <BrandingColumns>
      <SettingsSkeleton cards={skeleton} />
      <Skeleton h="96" borderRadius="l3" />
    </BrandingColumns>
  );
}

const skeleton = [
  { kind: 'fields', count: 2 },
  { kind: 'fields', count: 1 },
  { kind: 'fields', count: 4 },
] as const;
