import { chakra } from '@chakra-ui/react';
import { Avatar, Style } from '@dicebear/core';
import { useMemo } from 'react';
import useSWRImmutable from 'swr/immutable';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';

const FRIENDLY = ['happy01', 'happy02', 'happy03', 'happy04', 'happy05', 'happy06', 'happy09'] as const;
const TINTS = ['#fde68a', '#bfdbfe', '#bbf7d0', '#fecaca', '#ddd6fe', '#fed7aa'];

/** Seeds for the faces of the demo's characters. All other faces are drawn from the name. */
const LOOKS: ReadonlyMap<string, string> = new Map([
  ['Iris Bergström', 'Iris Bergström1'],
  ['Tomás Rivera', 'Tomás Rivera2'],
  ['Noor Haddad', 'Noor Haddad2'],
  ['Henrik Dahl', 'Henrik Dahl3'],
  ['Lena Fischer', 'Lena Fischer2'],
]);

/** The Lorelei style by Lisa Wischofsky, CC0 1.0. Loaded separately because the style is large. */
const readStyle = async () => new Style((await import('@dicebear/styles/lorelei.json')).default);

/** Draws a face that is always the same for a given name. */
export default function DrawnFace({ name }: { name: string }) {
  const { data: style } = useSWRImmutable('demo faces', readStyle);
  const drawing = useMemo(
    () =>
      style &&
      new Avatar(style, { seed: LOOKS.get(name) ?? name, backgroundColor: TINTS, mouthVariant: FRIENDLY }).toDataUri(),
    [style, name],
  );
  return drawing ? <chakra.img src={drawing} alt="" boxSize="full" /> : <InitialsAvatar name={name} />;
}
