import { chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';

/** The position of each number's dot in the drawing. */
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

/** A drawing of the sign-in page, with the numbers of `brandingParts` where the fields appear. */
export function BrandingDrawing() {
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
