/** What an SVG logo may consist of: shapes, text, paint, filters. Nothing that runs, loads, links or moves. */
const words = (text: string): string[] => text.trim().split(/\s+/);

export const SVG_ELEMENTS: ReadonlySet<string> = new Set(
  words(`
    svg g defs symbol use title desc style
    path rect circle ellipse line polyline polygon text tspan textPath
    linearGradient radialGradient stop pattern clipPath mask marker
    filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDistantLight
    feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset
    fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  `),
);

/** Elements that are left out while their contents are kept. */
export const SVG_WRAPPERS: ReadonlySet<string> = new Set(['a', 'switch']);

export const SVG_ATTRIBUTES: ReadonlySet<string> = new Set(
  words(`
    id class style role aria-label version
    x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points width height viewBox preserveAspectRatio transform
    transform-origin pathLength rotate
    fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
    stroke-dasharray stroke-dashoffset color opacity display visibility overflow clip-path clip-rule mask filter
    paint-order vector-effect shape-rendering text-rendering color-rendering mix-blend-mode isolation
    font-family font-size font-style font-weight font-variant font-stretch letter-spacing word-spacing text-anchor
    text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode direction unicode-bidi
    textLength lengthAdjust startOffset method spacing side
    offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod
    patternUnits patternContentUnits patternTransform maskUnits maskContentUnits mask-type clipPathUnits
    marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient
    filterUnits primitiveUnits in in2 result type values mode operator k1 k2 k3 k4 stdDeviation edgeMode radius
    tableValues slope intercept amplitude exponent flood-color flood-opacity lighting-color
    color-interpolation color-interpolation-filters order kernelMatrix divisor bias targetX targetY preserveAlpha
    surfaceScale diffuseConstant specularConstant specularExponent azimuth elevation z pointsAtX pointsAtY pointsAtZ
    limitingConeAngle baseFrequency numOctaves seed stitchTiles
  `),
);

/** Attributes whose value isn't CSS, so that brackets in it mean nothing. */
export const SVG_PLAIN_ATTRIBUTES: ReadonlySet<string> = new Set(['id', 'class', 'aria-label']);

/** The CSS functions that load nothing; `url()` is checked separately. */
export const CSS_FUNCTIONS: ReadonlySet<string> = new Set(
  words(`
    rgb rgba hsl hsla calc matrix translate translatex translatey scale scalex scaley rotate skewx skewy
    blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  `),
);
