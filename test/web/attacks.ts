import { readFileSync } from 'node:fs'
import { findSharedData } from '../shared-data.ts'

/** What an attack runs, if it runs. */
const run = "window.__pwned='yes';alert(1)"
const evil = '//evil.example/x'

/** Texts that are markup, code, styles or links wherever one of them is not expected, and some that only look odd. */
const ours = [
  `<script>${run}</script>`,
  `"><script>${run}</script>`,
  `'><script>${run}</script>`,
  `<ScRiPt/x>${run}</sCrIpT>`,
  `</script><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `</textarea></select></noscript><script>${run}</script>`,
  `<!--`,
  `--><script>${run}</script>`,
  `<!--><script>${run}</script>-->`,
  `<!--<script>`,
  `]]><script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `"><img src=x onerror="${run}">`,
  `'><img src=x onerror="${run}">`,
  `<img src="${evil}.png">`,
  `<svg onload="${run}">`,
  `<svg><script>${run}</script></svg>`,
  `<svg><style><img src="</style><img src=x onerror=${run}>"></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<iframe src="javascript:parent.${run}"></iframe>`,
  `<object data="${evil}"></object><embed src="${evil}">`,
  `<base href="${evil}">`,
  `<meta http-equiv="refresh" content="0;url=${evil}">`,
  `<link rel="stylesheet" href="${evil}.css">`,
  `<style>@import "${evil}.css";*{background:url(${evil})}</style>`,
  `<form action="${evil}"><button autofocus onfocus="${run}">a</button></form>`,
  `<button formaction="${evil}">a</button>`,
  `<details open ontoggle="${run}">a</details>`,
  `<a href="javascript:${run}" autofocus onfocus="${run}">a</a>`,
  `<a href="&#106;avascript:${run}">a</a>`,
  `" autofocus onfocus="${run}" onmouseover="${run}" x="`,
  `' autofocus onfocus='${run}' onmouseover='${run}' x='`,
  ` onfocus=${run} autofocus `,
  `" style="background:url(${evil})" x="`,
  `javascript:${run}`,
  `JaVaScRiPt:${run}//https://`,
  `java\tscript:${run}`,
  `\u0001javascript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${run}"/>`,
  `vbscript:${run}`,
  evil,
  `https:${evil}.png`,
  `https://summit.example/"onmouseover="${run}"`,
  `https://a.example/<script>${run}</script>`,
  `\\\\evil.example\\x`,
  `}</style><style>*{background:url(${evil})}`,
  `red;background:url(${evil})`,
  `{{constructor.constructor("${run}")()}}`,
  `\${${run}}`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `&#60;script&#62;${run}&#60;/script&#62;`,
  `\u202eevil\u202c \u2066a\u2069 \u200f\u200e \u061c`,
  `مرحبا بكم <b>في</b> القمة`,
  `\u2028\u2029\u0085\u00a0\ufeff`,
  `NUL \0 and \u0007 and \u001b[31m`,
  `\ud800 and \udfff`,
  `__proto__`,
  `constructor`,
  `${'Z\u0351\u036b\u0343\u036a'.repeat(40)}`,
  '👩‍👩‍👧‍👦'.repeat(30),
  'W'.repeat(10_000),
  'a\n'.repeat(2_000),
]

/** How many of the strings of others stand in one text. */
const together = 12

/** The texts with which every field is attacked: ours one by one, and those that others have collected. */
export function attackTexts(): string[] {
  const file = findSharedData('corpora/naughty-strings.json')
  const collected: string[] = file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8'))
  // With dozens of marks, one character is wider than a phone, and nothing can break it.
  const breakable = collected.filter((text) => !/\p{M}{8}/u.test(text))
  const joined = Array.from({ length: Math.ceil(breakable.length / together) }, (_, index) =>
    breakable.slice(index * together, (index + 1) * together).join('\n'),
  )
  return [...ours, ...joined]
}
