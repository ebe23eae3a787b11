import { SearchX } from 'lucide-react';
import { EmptyState, type EmptyStateProps } from './empty-state.tsx';
import { Told } from './told.tsx';

/**
 * What a list shows when a search or filter leaves nothing in it; it is told too, because the focus stays elsewhere.
 */
export function NothingFound(props: Omit<EmptyStateProps, 'icon'>) {
  return (
    <>
      <EmptyState {...props} icon={SearchX} />
      <Told text={[props.title, props.description].filter(Boolean).join('. ')} />
    </>
  );
}
