/** API Gateway's events (payload format 2.0) as requests, and responses as its results. */

import type { APIGatewayProxyEventV2WithJWTAuthorizer, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/** The headers that calls look at; all others are left behind. */
const HEADERS = ['accept', 'content-type', 'if-none-match'] as const

/** Methods that a Request cannot have. */
const FORBIDDEN_METHODS = ['TRACE', 'TRACK', 'CONNECT']

/** Whether no call of ours could ever have this method. */
export function isForbidden(method: string): boolean {
  return FORBIDDEN_METHODS.includes(method.toUpperCase())
}

/** The request of an event, or null if it is none that HTTP allows. The path of an event is decoded already. */
export function requestOf(event: APIGatewayProxyEventV2WithJWTAuthorizer): Request | null {
  const { method } = event.requestContext.http
  try {
    const path = event.rawPath.split('/').map(encodeURIComponent).join('/')
    const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`
    const headers = new Headers()
    for (const name of HEADERS) {
      const value = event.headers[name]
      if (value !== undefined) headers.set(name, value)
    }
    const body =
      event.body === undefined || method === 'GET' || method === 'HEAD'
        ? null
        : event.isBase64Encoded
          ? Buffer.from(event.body, 'base64')
          : Buffer.from(event.body)
    return new Request(`https://hazard.invalid${path}${query}`, { method, headers, body })
  } catch (fault) {
    if (fault instanceof TypeError || fault instanceof URIError) return null
    throw fault
  }
}

/** The result of a response. All our bodies are text. */
export async function resultOf(response: Response): Promise<APIGatewayProxyStructuredResultV2> {
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
    isBase64Encoded: false,
  }
}
