import { Button, chakra, Flex, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Modal } from '#ui/dialog/modal.tsx';
import { SettingsSkeleton } from '#ui/editing/settings-skeleton.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { ReadState } from '../read-state.tsx';
import { BrandingColumns } from './branding-columns.tsx';
import { BrandingForm } from './branding-form.tsx';
import { useBranding } from './use-branding.ts';

/** Positions of the numbered dots in the drawing. */
const DOTS = [
  [192, 58],
  [252, 139],
  [410, 180],
  [188, 281],
  [66, 44],
  [192, 92],
  [112, 139],
] as const;

const Bar = ({ x, y, w, h = 8 }: { x: number; y: number; w: number; h?: number }) => (
  <chakra.rect x={x} y={y} width={w} height={h} rx={h / 2} fill="border.emphasized" />
);

/** Drawing of the sign-in page. The numbers of `brandingParts` mark where the fields appear. */
function BrandingDrawing() {
  return (
    <chakra.svg
      viewBox="0 0 480 300"
      role="img"
      aria-label={t`Drawing of the sign-in page with a number for each field`}
      w="full"
      h="auto"
      borderWidth="1px"
      borderRadius="l2"
    >
      <chakra.rect width="480" height="300" fill="brand.subtle" />
      <chakra.rect x="60" y="24" width="360" height="216" rx="10" fill="bg.panel" />
      <chakra.path d="M262 24h148a10 10 0 0 1 10 10v196a10 10 0 0 1-10 10H262z" fill="brand.muted" />
      <chakra.rect x="76" y="44" width="28" height="28" rx="6" fill="brand.solid" />
      <Bar x={114} y={54} w={64} />
      <Bar x={76} y={86} w={104} h={14} />
      <Bar x={76} y={108} w={140} h={6} />
      <chakra.rect x="76" y="126" width="170" height="28" rx="6" fill="brand.solid" />
      <chakra.rect x="130" y="136" width="64" height="8" rx="4" fill="brand.contrast" opacity={0.7} />
      <Bar x={76} y={214} w={72} h={6} />
      <Bar x={278} y={174} w={120} h={14} />
      <Bar x={278} y={198} w={110} />
      <Bar x={278} y={212} w={84} />
      <Bar x={170} y={256} w={140} h={6} />
      <Bar x={204} y={278} w={72} h={6} />
      {DOTS.map(([x, y], at) => (
        <g key={x + y}>
          <chakra.circle cx={x} cy={y} r="10" fill="bg.inverted" stroke="bg.panel" strokeWidth="2" />
          <chakra.text
            x={x}
            y={y + 4}
            textAnchor="middle"
            fill="fg.inverted"
            css={{ fontSize: '11px', fontWeight: 'semibold' }}
          >
            {at + 1}
          </chakra.text>
        </g>
      ))}
    </chakra.svg>
  );
}

/** Branding fields with their position on the sign-in page, in the order of the numbers in the drawing. */
const brandingParts = [
  { field: t`Name`, where: t`Next to the mark unless the title contains it, and in emails.` },
  { field: t`Colour`, where: t`On the mark and the main button, in the background, in links and in selected items.` },
  {
    field: t`Banner text`,
    where: t`In large type next to the sign-in button. A short first sentence becomes the headline. Not displayed on phones.`,
  },
  { field: t`Copyright text`, where: t`At the bottom of the page.` },
  { field: t`Logo`, where: t`Above the title and in the middle of the QR code.` },
  { field: t`Title`, where: t`As the page heading and in the browser tab.` },
  { field: t`Sign-in button label`, where: t`On the main button.` },
] as const;

/** Dialog with a drawing that shows where each branding field appears. */
function BrandingHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
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

/** Edits the look and text of the organisation's sign-in page (spec 2 §2). */
export default function BrandingScreen() {
  const { read, save, image, forgetImage } = useBranding();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  return (
    <Page>
      <title>{t`Branding · Orchestrate`}</title>
      <PageHeader
        title={t`Branding`}
        description={t`The look and text of the sign-in page.`}
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
    </Page>
  );
}

/** Placeholder for the form and its preview. */
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
