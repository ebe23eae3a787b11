import { Box, Input, Kbd } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Search, X } from 'lucide-react';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { ActionButton } from '../feedback/action-button.tsx';

interface SearchFieldProps {
  /** Accessible name, e.g. 'Search members'. */
  label: string;
  placeholder?: string;
  value: string;
  maxLength: number;
  onChange: (value: string) => void;
  /** Key that focuses the field, displayed in it while it is empty. */
  shortcut?: string;
  /** Called on Enter. */
  onSubmit?: () => void;
  ref?: Ref<{ focus: () => void }>;
}

/** A search field with a clear button. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, value, maxLength, shortcut, onChange, onSubmit, ref } = props;
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => input.current?.focus() }), []);
  const clear = () => {
    onChange('');
    input.current?.focus();
  };
  return (
    <Box position="relative" flex="1" minW="0">
      <Box position="absolute" insetStart="3" top="50%" translate="0 -50%" pointerEvents="none" color="fg.muted">
        <Search size={16} aria-hidden />
      </Box>
      <Input
        ref={input}
        // With type="search", browsers would add their own clear button.
        type="text"
        role="searchbox"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        aria-keyshortcuts={shortcut}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        ps="9"
        pe={value === '' && !shortcut ? '3' : '10'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSubmit?.();
          if (event.key === 'Escape' && value !== '') clear();
        }}
      />
      {shortcut && value === '' && (
        <Kbd
          aria-hidden
          position="absolute"
          insetEnd="2"
          top="50%"
          translate="0 -50%"
          pointerEvents="none"
          hideBelow="sm"
        >
          {shortcut}
        </Kbd>
      )}
      {value !== '' && (
        <ActionButton size="xs" label={t`Clear search`} position="absolute" insetEnd="1" top="1" onClick={clear}>
          <X />
        </ActionButton>
      )}
    </Box>
  );
}
