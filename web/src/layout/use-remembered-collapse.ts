import { useState } from 'react';
import { readStored, writeStored } from '../lib/browser/stored.ts';

const KEY = 'orchestrate.sidebar';

/** Whether the sidebar is collapsed to its icons, as it was left on this browser. */
export function useRememberedCollapse(): { isCollapsed: boolean; toggle: () => void } {
  const [isCollapsed, setIsCollapsed] = useState(() => readStored(KEY) === 'collapsed');
  const toggle = () => {
    writeStored(KEY, isCollapsed ? null : 'collapsed');
    setIsCollapsed(!isCollapsed);
  };
  return { isCollapsed, toggle };
}
