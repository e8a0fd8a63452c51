// What Unicode calls East Asian wide, full or half width, without emoji; all of Hangul; the selectors of variant ideographs. With the
// selector behind them, the quotes are Chinese.
const cjk =
  /^(?:[‘’“”]\uFE01|(?!\p{Emoji_Presentation})[\u1100-\u11FF\u20A9\u2329\u232A\u2630-\u2637\u268A-\u268F\u2E80-\u303E\u3041-\u3247\u3250-\uA4CF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE10-\uFE1F\uFE30-\uFE6F\uFF01-\uFFEE\u{16FE0}-\u{1B2FF}\u{1D300}-\u{1D376}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}\u{E0100}-\u{E01EF}])/u
// Any other variation selector belongs to the character before it.
const lastCharacter = /(?:\S[\uFE00-\uFE0E]|.)$/su
const punctuation = /^[\p{P}\p{S}]/u

/**
 * Tells whether a run of markers may open or close emphasis: by CommonMark's rules for flanking, in which a Chinese, Japanese or Korean
 * character beside punctuation counts as a space would, since their scripts have none there.
 *
 * @param before - What stands before the run in its paragraph; its last four code units are enough.
 * @param after - What stands behind the run; two code units are enough.
 * @param marker - What the run consists of.
 */
export function flanking(
  before: string,
  after: string,
  marker: string,
): { canOpen: boolean; canClose: boolean } {
  const left = lastCharacter.exec(before)?.[0] ?? ''
  const open = reaches(after, left, marker)
  const close = reaches(left, after, marker)
  if (marker !== '_') return { canOpen: open, canClose: close }
  return {
    canOpen: open && (!close || isSpace(left) || punctuation.test(left)),
    canClose: close && (!open || isSpace(after) || punctuation.test(after)),
  }
}

/** Whether a run takes hold of the text on one side of it, seen from the other. */
function reaches(side: string, other: string, marker: string): boolean {
  if (side.startsWith('~') && marker !== '~') return true
  if (!isOutside(side)) return true
  return !isSpace(side) && (isOutside(other) || cjk.test(other))
}

function isOutside(text: string): boolean {
  return isSpace(text) || (punctuation.test(text) && !cjk.test(text))
}

function isSpace(text: string): boolean {
  return text === '' || /^\s/.test(text)
}
