// Runs in a page of the console. Returns what is wrong with its layout at the width of the window.
;(() => {
  const faults = new Set()
  const width = innerWidth
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen, .skip')
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(isSeen)
  const nameOf = (element) => `${element.localName}.${element.className}: ${element.innerText.slice(0, 60)}`

  const over = document.documentElement.scrollWidth - width
  if (over > 0) faults.add(`the page is too wide by ${over} px`)

  // A cell gets its tooltip when the pointer enters it.
  for (const each of seen('.wide td > div')) each.dispatchEvent(new PointerEvent('pointerenter'))
  for (const each of seen('body *')) {
    const isCut = /hidden|clip/.test(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth + 1
    if (isCut && !each.closest('[title], svg, input') && !each.querySelector('[title]'))
      faults.add(`cut without a tooltip: ${nameOf(each)}`)
  }

  for (const each of seen('a, button, input, select, textarea, summary')) {
    const { left, right, height } = each.getBoundingClientRect()
    if (right === left) continue
    if ((left < -1 || right > width + 1) && !each.closest('pre, .wide')) faults.add(`outside: ${nameOf(each)}`)
    // WCAG 2.2, 2.5.8: 24 px, except for links in a sentence. A box of a form has a margin.
    const least = each.matches('[type=checkbox], [type=radio]') ? 20 : 24
    if (width < 800 && getComputedStyle(each).display !== 'inline' && height < least)
      faults.add(`${height} px high: ${nameOf(each)}`)
  }

  const isBroken = (text, at, word) => {
    const range = document.createRange()
    range.setStart(text, at)
    range.setEnd(text, at + word.length)
    return (
      new Set([...range.getClientRects()].filter((each) => each.width > 0).map(({ top }) => Math.round(top))).size > 1
    )
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement
    if (!isSeen(parent) || parent.closest('code, pre, textarea, option, script, style, svg')) continue
    // Ids, addresses and names of parameters can be broken at any letter.
    for (const { 0: word, index } of text.data.matchAll(/(?<=^|\s)\p{L}{3,}(?=[.,:;!?)]*(\s|$))/gu))
      if (isBroken(text, index, word)) faults.add(`broken: ${word} in ${nameOf(parent)}`)
  }

  // The names of columns are no text nodes in cards.
  const canvas = document.createElement('canvas').getContext('2d')
  for (const cell of seen('td[data-head]')) {
    const head = getComputedStyle(cell, '::before')
    if (head.content === 'none' || head.content === 'normal') continue
    canvas.font = head.font
    for (const word of cell.dataset.head.split(' '))
      if (canvas.measureText(word).width > Number.parseFloat(head.width)) faults.add(`broken: ${word} in a head`)
  }
  return [...faults]
})()
