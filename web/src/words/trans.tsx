import type { TransProps } from '@lingui/react';
import { TransNoContext } from '@lingui/react/server';
import { i18n } from './words.ts';

/** A sentence with elements in it. */
export const Trans = (props: TransProps) => <TransNoContext {...props} lingui={{ i18n }} />;
