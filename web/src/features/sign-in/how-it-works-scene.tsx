import { chakra } from '@chakra-ui/react';
import { keyframes } from '@emotion/react';

const show = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } });
const rise = keyframes({ from: { opacity: 0, transform: 'translateY(14px)' }, to: { opacity: 1, transform: 'none' } });
const sweep = keyframes({ from: { transform: 'translateY(0)' }, to: { transform: 'translateY(62px)' } });
const press = keyframes({ '0%, 100%': { transform: 'scale(1)' }, '50%': { transform: 'scale(0.93)' } });
const flow = keyframes({ from: { strokeDashoffset: 28 }, to: { strokeDashoffset: 0 } });
const draw = keyframes({ from: { strokeDashoffset: 100 }, to: { strokeDashoffset: 0 } });

const Group = chakra('g');
const Shape = chakra('rect');
const Line = chakra('path');
const Disc = chakra('circle');

/** Animation that makes an element appear after this many seconds and stay. */
const after = (seconds: number, how = show) => ({
  animation: `${how} 360ms cubic-bezier(0.2, 0, 0, 1) ${seconds}s both`,
});

/**
 * Dark modules of the drawn QR code, without the three finder squares. It isn't a real code, so phones don't try to
 * read it.
 */
const MODULES = [
  [4, 0],
  [4, 1],
  [5, 1],
  [4, 3],
  [5, 3],
  [3, 4],
  [4, 4],
  [6, 4],
  [8, 4],
  [0, 4],
  [1, 4],
  [0, 5],
  [2, 5],
  [4, 5],
  [5, 5],
  [7, 5],
  [4, 6],
  [6, 6],
  [8, 6],
  [4, 7],
  [5, 7],
  [7, 7],
  [5, 8],
  [6, 8],
  [8, 8],
  [3, 3],
  [3, 5],
  [7, 4],
] as const;
const FINDERS = [
  [0, 0],
  [6, 0],
  [0, 6],
] as const;

function DrawnCode({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <Group transform={`translate(${x} ${y}) scale(${size / 9})`} fill="fg">
      {FINDERS.map(([column, row]) => (
        <Shape key={`${column}/${row}`} x={column} y={row} width="3" height="3" rx="0.5" />
      ))}
      {FINDERS.map(([column, row]) => (
        <Shape key={`${column}/${row}`} x={column + 1} y={row + 1} width="1" height="1" fill="bg.panel" />
      ))}
      {MODULES.map(([column, row]) => (
        <Shape key={`${column}/${row}`} x={column} y={row} width="1.02" height="1.02" />
      ))}
    </Group>
  );
}

function DrawnTick({ x, y, radius, delay }: { x: number; y: number; radius: number; delay: number }) {
  const scale = radius / 24;
  return (
    <Group css={after(delay)}>
      <Disc cx={x} cy={y} r={radius} fill="success.subtle" />
      <Group transform={`translate(${x - 12 * scale * 1.4} ${y - 12 * scale * 1.4}) scale(${scale * 1.4})`}>
        <Line
          d="M5 12.5l4.5 4.5 9.5-10"
          fill="none"
          stroke="success.fg"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          pathLength={100}
          strokeDasharray="100"
          css={{ animation: `${draw} 420ms ease-out ${delay + 0.15}s both` }}
        />
      </Group>
    </Group>
  );
}

function Laptop({ scene, hasPhone }: { scene: number; hasPhone: boolean }) {
  return (
    <g>
      <Shape
        x="52"
        y="42"
        width="282"
        height="184"
        rx="12"
        fill="bg.panel"
        stroke="border.emphasized"
        strokeWidth="2"
      />
      <Line d="M53 66h280" stroke="border" strokeWidth="2" />
      {[68, 80, 92].map((x) => (
        <Disc key={x} cx={x} cy="54" r="3.5" fill="bg.emphasized" />
      ))}
      <Line d="M53 67h98v158H65a12 12 0 0 1-12-12z" fill="brand.solid" />
      <Group fill="brand.contrast">
        <Shape x="68" y="82" width="16" height="16" rx="4" />
        <Shape x="68" y="180" width="62" height="8" rx="4" />
        <Shape x="68" y="196" width="42" height="6" rx="3" opacity="0.6" />
      </Group>
      <Line d="M34 227h318l-10 14a8 8 0 0 1-6 3H50a8 8 0 0 1-6-3z" fill="bg.emphasized" />
      {scene < 2 && (
        <Group css={scene === 0 ? after(0.7, rise) : undefined}>
          <Shape x="192" y="92" width="104" height="104" rx="14" fill="none" stroke="brand.line" strokeWidth="4" />
          <DrawnCode x={207} y={107} size={74} />
        </Group>
      )}
      {scene === 2 && (
        <>
          <Group css={{ animation: `${show} 300ms 2.1s reverse both` }}>
            <Shape x="192" y="92" width="104" height="104" rx="14" fill="none" stroke="brand.line" strokeWidth="4" />
            {hasPhone ? (
              <Shape x="231" y="118" width="26" height="44" rx="6" fill="none" stroke="brand.line" strokeWidth="3" />
            ) : (
              <Line d="M221 122h46v30h-46zM244 152v10M234 162h20" fill="none" stroke="brand.line" strokeWidth="3" />
            )}
            <Shape x="212" y="174" width="64" height="6" rx="3" fill="bg.emphasized" />
          </Group>
          <DrawnTick x={244} y={144} radius={34} delay={2.4} />
        </>
      )}
    </g>
  );
}

function Phone({ scene }: { scene: number }) {
  return (
    <g>
      <Shape
        x="420"
        y="38"
        width="110"
        height="212"
        rx="20"
        fill="bg.panel"
        stroke="border.emphasized"
        strokeWidth="2"
      />
      <Shape x="460" y="48" width="30" height="6" rx="3" fill="bg.emphasized" />
      <Authenticator scene={scene} />
    </g>
  );
}

function Computer({ scene }: { scene: number }) {
  return (
    <g>
      <Shape
        x="402"
        y="66"
        width="146"
        height="158"
        rx="12"
        fill="bg.panel"
        stroke="border.emphasized"
        strokeWidth="2"
      />
      <Shape x="462" y="225" width="26" height="14" fill="bg.emphasized" />
      <Shape x="436" y="238" width="78" height="7" rx="3.5" fill="bg.emphasized" />
      <Group transform="translate(475 146) scale(0.7) translate(-475 -152)">
        <Authenticator scene={scene} />
      </Group>
    </g>
  );
}

/** Authenticator screen on either device. */
function Authenticator({ scene }: { scene: number }) {
  return (
    <>
      {scene === 0 && (
        <Group css={after(1.6, rise)}>
          <Shape x="451" y="104" width="48" height="48" rx="14" fill="brand.solid" />
          <Line
            d="M475 114l13 5v9c0 8-5.5 13-13 16-7.5-3-13-8-13-16v-9z"
            fill="none"
            stroke="brand.contrast"
            strokeWidth="3"
            strokeLinejoin="round"
          />
          <Shape x="447" y="166" width="56" height="7" rx="3.5" fill="bg.emphasized" />
        </Group>
      )}
      {scene === 1 && (
        <>
          <DrawnCode x={448} y={112} size={54} />
          <Line
            d="M438 118v-8a8 8 0 0 1 8-8h8M496 102h8a8 8 0 0 1 8 8v8M512 160v8a8 8 0 0 1-8 8h-8M454 176h-8a8 8 0 0 1-8-8v-8"
            fill="none"
            stroke="fg.muted"
            strokeWidth="3"
            strokeLinecap="round"
          />
          <Line
            d="M442 108h66"
            stroke="brand.line"
            strokeWidth="3"
            strokeLinecap="round"
            css={{ animation: `${sweep} 900ms ease-in-out 0.4s 4 alternate both` }}
          />
          <Shape x="447" y="204" width="56" height="7" rx="3.5" fill="bg.emphasized" />
        </>
      )}
      {scene === 2 && (
        <>
          <Group css={after(0.1, rise)}>
            <Disc cx="475" cy="92" r="14" fill="brand.subtle" />
            <Disc cx="475" cy="89" r="4.5" fill="brand.fg" />
            <Line d="M467 101a8 7 0 0 1 16 0z" fill="brand.fg" />
            <Shape x="443" y="116" width="64" height="8" rx="4" fill="fg.muted" />
            <Shape x="449" y="131" width="52" height="6" rx="3" fill="bg.emphasized" />
            <Shape x="449" y="143" width="52" height="6" rx="3" fill="bg.emphasized" />
            <Group css={{ transformOrigin: '475px 184px', animation: `${press} 420ms ease-in-out 1.2s both` }}>
              <Shape x="438" y="171" width="74" height="26" rx="8" fill="brand.solid" />
              <Shape x="455" y="180.5" width="40" height="7" rx="3.5" fill="brand.contrast" />
            </Group>
            <Shape
              x="438"
              y="205"
              width="74"
              height="26"
              rx="8"
              fill="none"
              stroke="border.emphasized"
              strokeWidth="2"
            />
            <Shape x="461" y="214.5" width="28" height="7" rx="3.5" fill="bg.emphasized" />
          </Group>
          <Group css={after(1.7)}>
            <Shape x="422" y="62" width="106" height="186" rx="18" fill="bg.panel" />
          </Group>
          <DrawnTick x={475} y={146} radius={28} delay={1.8} />
        </>
      )}
    </>
  );
}

/**
 * Dots that move between the authenticator and the browser: towards the authenticator during the scan, back after the
 * approval.
 */
function Signal({ scene }: { scene: number }) {
  if (scene === 0) return null;
  const delay = scene === 1 ? 0.6 : 1.8;
  return (
    <Group css={after(delay)}>
      <Line
        d={scene === 1 ? 'M350 150c20-22 40-22 58 0' : 'M408 150c-18-22-38-22-58 0'}
        fill="none"
        stroke="brand.line"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray="1 13"
        css={{ animation: `${flow} 900ms linear infinite` }}
      />
    </Group>
  );
}

interface HowItWorksSceneProps {
  scene: number;
  /** True if the authenticator is on a phone, false if it is on a computer. */
  hasPhone: boolean;
  isPaused: boolean;
}

/** One of three drawn scenes: 0 shows the code, 1 the authenticator reading it, and 2 the user approving. */
export function HowItWorksScene({ scene, hasPhone, isPaused }: HowItWorksSceneProps) {
  return (
    <chakra.svg
      aria-hidden
      key={scene}
      viewBox="0 0 564 284"
      w="full"
      h="auto"
      display="block"
      css={isPaused ? { '& *': { animationPlayState: 'paused' } } : undefined}
    >
      <Laptop scene={scene} hasPhone={hasPhone} />
      <Signal scene={scene} />
      {hasPhone ? <Phone scene={scene} /> : <Computer scene={scene} />}
    </chakra.svg>
  );
}
