const cjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303F\uFF00-\uFFEF]/u

/** Whether a run of markers may open or close emphasis, as CommonMark says and as remark-cjk-friendly eases. */
export function flanking(
  text: string,
  start: number,
  end: number,
  marker: string,
): { canOpen: boolean; canClose: boolean } {
  const before = /.$/su.exec(text.slice(Math.max(0, start - 2), start))?.[0] ?? ' '
  const after = String.fromCodePoint(text.codePointAt(end) ?? 32)
  const isOutside = (char: string): boolean => /[\s\p{P}\p{S}]/u.test(char) || cjk.test(char)
  const isPunctuation = (char: string): boolean => /[\p{P}\p{S}]/u.test(char)
  const left = !/\s/.test(after) && (!isPunctuation(after) || isOutside(before))
  const right = !/\s/.test(before) && (!isPunctuation(before) || isOutside(after))
  if (marker !== '_') return { canOpen: left, canClose: right }
  return {
    canOpen: left && (!right || isPunctuation(before)),
    canClose: right && (!left || isPunctuation(after)),
  }
}
