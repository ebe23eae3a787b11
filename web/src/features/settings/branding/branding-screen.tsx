import { Button, chakra, Flex, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Modal } from '#ui/dialog/modal.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { ReadState } from '../read-state.tsx';
import { SettingsSkeleton } from '../settings-skeleton.tsx';
import { BrandingColumns } from './branding-columns.tsx';
import { BrandingForm } from './branding-form.tsx';
import { useBranding } from './use-branding.ts';

/** Positions of the numbered dots in the drawing. */
const DOTS = [
  [66, 40],
  [168, 116],
  [30, 182],
  [30, 262],
  [238, 70],
  [238, 108],
  [238, 160],
] as const;

const Bar = (props: { x: number; y: number; w: number; h?: number; on?: 'brand' | 'page' }) => (
  <chakra.rect
    x={props.x}
    y={props.y}
    width={props.w}
    height={props.h ?? 8}
    rx={(props.h ?? 8) / 2}
    fill={props.on === 'brand' ? 'brand.contrast' : 'border.emphasized'}
    opacity={props.on === 'brand' ? 0.5 : 1}
  />
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
      <chakra.rect width="480" height="300" fill="bg.panel" />
      <chakra.rect width="206" height="300" fill="brand.solid" />
      <chakra.rect x="20" y="28" width="24" height="24" rx="6" fill="brand.contrast" />
      <Bar x={82} y={36} w={70} on="brand" />
      <Bar x={46} y={170} w={132} h={14} on="brand" />
      <Bar x={46} y={194} w={120} on="brand" />
      <Bar x={46} y={208} w={90} on="brand" />
      <Bar x={46} y={259} w={80} h={6} on="brand" />
      <chakra.rect x="254" y="58" width="64" height="24" rx="4" fill="bg.emphasized" />
      <Bar x={254} y={101} w={120} h={14} />
      <Bar x={254} y={124} w={160} h={6} />
      <chakra.rect x="254" y="146" width="196" height="28" rx="6" fill="brand.solid" />
      <chakra.rect x="320" y="156" width="64" height="8" rx="4" fill="brand.contrast" opacity={0.7} />
      <Bar x={316} y={190} w={72} h={6} />
      <Bar x={290} y={272} w={124} h={6} />
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
  { field: t`Name`, where: t`Next to the mark in the brand panel, and in emails.` },
  { field: t`Colour`, where: t`In the brand panel, on the main button, in links and in selected items.` },
  {
    field: t`Banner text`,
    where: t`In large type in the brand panel. A short first sentence becomes the headline. Not displayed on phones.`,
  },
  { field: t`Copyright text`, where: t`At the bottom of the brand panel. On phones, at the bottom of the page.` },
  { field: t`Logo`, where: t`Above the title.` },
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
    <Flex direction="column" gap="6">
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
    </Flex>
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
