import fc from 'fast-check'

/** A value of the log: at most a few levels of it. */
export const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary-ascii' }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(
      fc.string({ unit: 'binary-ascii' }).filter((key) => key !== '__proto__'),
      tie('value'),
    ),
  ),
})).value
