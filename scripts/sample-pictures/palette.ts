// The colours of all pictures of the sample: those of a harbour town at dusk.

export const skins = {
  porcelain: { base: '#f7d9c6', shade: '#e8b99f', lip: '#c9746a' },
  light: { base: '#f0c6a5', shade: '#dda481', lip: '#b9605a' },
  tan: { base: '#dfab7f', shade: '#c68d60', lip: '#a5524a' },
  olive: { base: '#cf9a6d', shade: '#b37b50', lip: '#96493f' },
  brown: { base: '#aa7048', shade: '#8d5735', lip: '#7c3a33' },
  deep: { base: '#86542f', shade: '#6b3f22', lip: '#5f2a26' },
  dark: { base: '#6d412f', shade: '#532f21', lip: '#4a1f1d' },
} as const

export const hairs = {
  black: { base: '#23222a', light: '#3a3944' },
  espresso: { base: '#38271f', light: '#523a2e' },
  brown: { base: '#5b3b28', light: '#77523a' },
  chestnut: { base: '#7b4629', light: '#9a5f3c' },
  ginger: { base: '#c2622c', light: '#dc8148' },
  sand: { base: '#b98d54', light: '#d3aa72' },
  blond: { base: '#dcb56c', light: '#edcf93' },
  grey: { base: '#8d949b', light: '#a9b0b6' },
  silver: { base: '#cfd3d6', light: '#e6e9ea' },
  teal: { base: '#24706f', light: '#3c9490' },
  plum: { base: '#66365a', light: '#854e77' },
} as const

export const cloths = {
  petrol: { base: '#0f6b6b', shade: '#0a5050', light: '#3f9492' },
  navy: { base: '#2a4068', shade: '#1d2e4e', light: '#5a74a3' },
  brick: { base: '#a8452f', shade: '#833220', light: '#d0765f' },
  plum: { base: '#74407c', shade: '#582d5f', light: '#a272aa' },
  mustard: { base: '#dea233', shade: '#bb831d', light: '#f2c66e' },
  forest: { base: '#3f6a4c', shade: '#2d5038', light: '#6f9a7b' },
  charcoal: { base: '#3c434b', shade: '#2a3036', light: '#68717b' },
  cream: { base: '#f1e6d2', shade: '#d8c9ae', light: '#fffaf0' },
  rose: { base: '#c4617a', shade: '#a0465d', light: '#e395a7' },
  sky: { base: '#6c9cc4', shade: '#4d7da6', light: '#a3c6e2' },
} as const

/** The wall behind a person, and the round light on it. */
export const walls = {
  sea: ['#bcd9d8', '#d5e9e7'],
  lantern: ['#f3cf95', '#f9e2b9'],
  brick: ['#eab9a4', '#f4d2c3'],
  lilac: ['#cbc1e2', '#e0d9f0'],
  sky: ['#b7cce8', '#d2e0f3'],
  moss: ['#c3d4a6', '#dae6c4'],
  paper: ['#e6d6c2', '#f3e9db'],
  rose: ['#e3b3bf', '#f1ced6'],
} as const

export type Skin = keyof typeof skins
export type HairColor = keyof typeof hairs
export type Cloth = keyof typeof cloths
export type Wall = keyof typeof walls
