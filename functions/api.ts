/** The HTTP API behind API Gateway. */

import type { APIGatewayProxyEventV2WithJWTAuthorizer, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { dependenciesFromEnvironment, once } from './dependencies.ts'
import { type AppDependencies, createApp } from './http/app.ts'
import { isForbidden, requestOf, resultOf } from './http/gateway-event.ts'
import { problemResponse } from './http/problems.ts'

export type Api = (
  event: APIGatewayProxyEventV2WithJWTAuthorizer,
  context?: Pick<Context, 'awsRequestId'>,
) => Promise<APIGatewayProxyStructuredResultV2>

/** The function that answers API Gateway's events. */
export function createApi(dependencies: AppDependencies): Api {
  const app = createApp(dependencies)
  return async (event, context) => {
    const { method } = event.requestContext.http
    if (isForbidden(method)) {
      const detail = `${method} is not for this address.`
      return resultOf(problemResponse({ problem: 'method-not-allowed', detail }, dependencies.ports.now()))
    }
    const request = requestOf(event)
    if (request === null) {
      const detail = 'This is no request that HTTP allows.'
      return resultOf(problemResponse({ problem: 'malformed', path: '', detail }, dependencies.ports.now()))
    }
    const claims = event.requestContext.authorizer?.jwt?.claims
    return resultOf(await app.fetch(request, { claims, requestId: context?.awsRequestId ?? '' }))
  }
}

const api = once(async () => createApi(await dependenciesFromEnvironment(process.env)))

/** The entry on AWS. */
export const handler: Api = async (event, context) => (await api())(event, context)
