import { Box, Input, type InputProps, useFieldContext } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

interface SelectProps extends Omit<ComponentProps<'select'>, 'size' | 'width'> {
  size?: 'sm' | 'md' | 'lg';
  width?: InputProps['width'];
}

/** A native select in the style of our other fields. Inside a `FormField`, it is wired up like an input. */
export function Select({ size = 'md', width = 'full', children, ...select }: SelectProps) {
  const field = useFieldContext();
  return (
    <Box position="relative" width={width} flexShrink="0">
      <Input asChild size={size} pe="9" cursor="pointer" textOverflow="ellipsis">
        <select {...field?.getSelectProps()} {...select}>
          {children}
        </select>
      </Input>
      <Box position="absolute" insetEnd="3" top="50%" translate="0 -50%" pointerEvents="none" color="fg.muted">
        <ChevronDown size={16} aria-hidden />
      </Box>
    </Box>
  );
}
