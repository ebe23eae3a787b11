// Chakra's generated types lack conditions for our `xs` breakpoint (spec 1 §9).
import '../../node_modules/@chakra-ui/react/dist/types/styled-system/generated/conditions.gen.d.ts';

declare module '../../node_modules/@chakra-ui/react/dist/types/styled-system/generated/conditions.gen.d.ts' {
  interface Conditions {
    xs: string;
    xsOnly: string;
    xsDown: string;
  }
}
