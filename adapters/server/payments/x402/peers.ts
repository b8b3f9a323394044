import { x402Facilitator } from "@x402/core/facilitator"
import { encodePaymentRequiredHeader, encodePaymentResponseHeader, HTTPFacilitatorClient } from "@x402/core/http"
import { authorizationTypes, DEFAULT_ASSETS, eip3009ABI } from "@x402/evm"
import { ExactEvmScheme } from "@x402/evm/exact/facilitator"
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  concat,
  createPublicClient,
  defineChain,
  ExecutionRevertedError,
  encodeFunctionData,
  erc20Abi,
  formatEther,
  getAddress,
  http as httpTransport,
  isAddress,
  keccak256,
  numberToHex,
  RpcRequestError,
  recoverTypedDataAddress,
  TransactionReceiptNotFoundError,
  toEventSelector,
} from "viem"
import { privateKeyToAccount } from "viem/accounts"

/*
 * The parts of the optional peers that are used, by name, so that a bundle leaves out the rest, such as viem's word lists in ten
 * languages.
 */

export const viem = {
  ...{ BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError, ExecutionRevertedError },
  ...{ RpcRequestError, TransactionReceiptNotFoundError },
  ...{ concat, createPublicClient, defineChain, encodeFunctionData, erc20Abi, formatEther, getAddress },
  ...{ http: httpTransport, isAddress, keccak256, numberToHex, recoverTypedDataAddress, toEventSelector },
}
export const accounts = { privateKeyToAccount }
export const facilitator = { x402Facilitator }
export const http = { encodePaymentRequiredHeader, encodePaymentResponseHeader, HTTPFacilitatorClient }
export const evm = { authorizationTypes, DEFAULT_ASSETS, eip3009ABI }
export const scheme = { ExactEvmScheme }
