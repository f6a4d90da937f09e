/** The style of cards. */
export const cardStyle = `.cards{list-style:none;margin:0 0 1.25rem;padding:0;display:grid;gap:.5rem}
.card{display:flex;align-items:center;gap:.75rem;padding:.875rem 1rem;border-radius:.625rem;border:1px solid var(--line);font-weight:600;overflow-wrap:anywhere}
.card img{flex:none;margin:0;border-radius:.25rem}
.card small{display:block;font-weight:400}
`

/**
 * The style of the offer page, in addition to that of all pages. The code is always black on white, because many
 * readers support nothing else.
 */
export const offerStyle = `${cardStyle}.qr{width:max-content;margin:0 auto 1rem;background:#fff;border-radius:.625rem;overflow:hidden}
.qr svg{display:block;height:auto}
.ways{display:flex;flex-direction:column;gap:.75rem}
.ways>*{margin:0}
summary{padding:.75rem 0;cursor:pointer;font-weight:600;outline-offset:-2px}
#offer details p{margin:0 0 .75rem}
.apps{border-top:1px solid var(--line)}
.apps ul{margin:0 0 .75rem;padding-left:1.25rem}
.apps a{color:inherit;overflow-wrap:anywhere}
.device{margin-top:1rem;border-top:1px solid var(--line)}
.left{color:var(--soft);font-variant-numeric:tabular-nums;text-align:center}
.print{display:none}
.note{border-left:.25rem solid var(--accent);padding-left:.75rem}
.step{margin:0;color:var(--soft);font-size:.9375rem}
[hidden]{display:none!important}
h2{font-size:1.25rem;line-height:1.3;margin:0 0 .5rem}
.help a{color:inherit}
.refresh{display:block;margin-top:1rem;color:inherit}
@media (max-width:28rem){body{padding:.5rem}main{padding:1.5rem .25rem 1rem}main>:not(#offer),.ways,.apps,.device>:not(.qr){margin-inline:.75rem}}
@media (min-width:40.01rem){.device{margin:0;border:0}.device[open] summary{display:none}#offer{display:flex;flex-direction:column}.device{order:-1}}
@media (min-width:60rem){main:has(#offer){max-width:56rem;padding:2.5rem 2rem 2rem}#offer{display:grid;grid-template-columns:max-content 1fr;grid-template-rows:1fr auto;column-gap:2rem}.device{grid-row:1/3}.device p{max-width:25rem}.ways{align-self:center}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--text:#000;--soft:#333;--line:#999}body{display:block;padding:0}main,main:has(#offer){max-width:30rem;margin:0 auto;box-shadow:none}#offer{display:flex;flex-direction:column}.device{order:-1;border:0;margin:0}.device summary{display:none}.qr{margin:0 auto 1rem}.screen{display:none!important}.print{display:block}.card{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`
