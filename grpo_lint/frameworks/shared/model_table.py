"""How models are built, by their exact names."""

# Generated: `conformance/models` writes it and says from which sources. A line: layers, attention heads, key-value heads, experts (0 for
# none), parameters (0 where nobody counted), and names. What is not a whole name goes behind the whole name before it. One text is half as
# large as a table of tuples, and each run whose model has such a name loads it.

MODELS = """\
16 16 16 0 0 allenai/OLMo-1B-hf
40 40 40 0 13716198400 allenai/OLMo-2-1124-13B -DPO -Instruct -SFT
32 32 32 0 7298617344 allenai/OLMo-2-1124-7B -DPO -Instruct -SFT
32 32 32 0 0 allenai/OLMo-7B-hf allenai/OLMo-7B-Instruct-hf microsoft/phi-2
80 64 8 0 70553706496 deepseek-ai/DeepSeek-R1-Distill-Llama-70B meta-llama/Llama-3.3-70B-Instruct meta-llama/Meta-Llama-3-70B -Instruct meta-llama/Meta-Llama-3.1-70B -Instruct
32 32 8 0 8030261248 deepseek-ai/DeepSeek-R1-Distill-Llama-8B meta-llama/Meta-Llama-3-8B -Instruct meta-llama/Meta-Llama-3.1-8B -Instruct
61 128 128 256 0 deepseek-ai/DeepSeek-R1 -0528 -Zero deepseek-ai/DeepSeek-V3 -0324 -Base .1 .1-Base
28 16 16 0 8537680896 google/codegemma-7b-it google/gemma-7b -it
46 32 16 0 27227128320 google/gemma-2-27b -it
26 8 4 0 2614341888 google/gemma-2-2b -it
42 16 8 0 9241705984 google/gemma-2-9b -it
18 8 1 0 2506172416 google/gemma-2b -it
48 16 8 0 0 google/gemma-3-12b-it
26 4 1 0 999885952 google/gemma-3-1b-it
62 32 16 0 0 google/gemma-3-27b-it
34 8 4 0 0 google/gemma-3-4b-it
24 32 32 0 1711376384 HuggingFaceTB/SmolLM2-1.7B -Instruct
30 9 3 0 134515008 HuggingFaceTB/SmolLM2-135M -Instruct
32 15 5 0 361821120 HuggingFaceTB/SmolLM2-360M -Instruct
40 40 40 0 13015864320 meta-llama/Llama-2-13b-chat-hf meta-llama/Llama-2-13b-hf
80 64 8 0 68976648192 meta-llama/Llama-2-70b-chat-hf meta-llama/Llama-2-70b-hf
32 32 32 0 6738415616 meta-llama/Llama-2-7b-chat-hf meta-llama/Llama-2-7b-hf
16 32 8 0 1235814400 meta-llama/Llama-3.2-1B -Instruct
28 24 8 0 3212749824 meta-llama/Llama-3.2-3B -Instruct
126 128 8 0 405853388800 meta-llama/Meta-Llama-3.1-405B -Instruct
24 32 32 0 0 microsoft/phi-1_5
32 32 32 0 3821079552 microsoft/Phi-3-mini-128k-instruct microsoft/Phi-3-mini-4k-instruct microsoft/Phi-3.5-mini-instruct
40 40 10 0 14659507200 microsoft/phi-4 microsoft/Phi-4-reasoning -plus
32 24 8 0 3836021760 microsoft/Phi-4-mini-instruct microsoft/Phi-4-mini-reasoning
32 32 8 0 7248023552 mistralai/mathstral-7B-v0.1 mistralai/Mistral-7B-Instruct-v0.3 mistralai/Mistral-7B-v0.3
32 32 8 0 7241732096 mistralai/Mistral-7B-Instruct-v0.1 mistralai/Mistral-7B-Instruct-v0.2 mistralai/Mistral-7B-v0.1
88 96 8 0 122610069504 mistralai/Mistral-Large-Instruct-2407 mistralai/Mistral-Large-Instruct-2411
56 48 8 8 140630071296 mistralai/Mixtral-8x22B-Instruct-v0.1 mistralai/Mixtral-8x22B-v0.1
32 32 8 8 46702792704 mistralai/Mixtral-8x7B-Instruct-v0.1 mistralai/Mixtral-8x7B-v0.1
61 64 64 384 0 moonshotai/Kimi-K2-Base moonshotai/Kimi-K2-Instruct -0905 moonshotai/Kimi-K2-Thinking
27 16 16 64 15960110208 moonshotai/Moonlight-16B-A3B -Instruct
24 14 2 0 494032768 Qwen/Qwen2.5-0.5B -Instruct Qwen/Qwen2.5-Coder-0.5B -Instruct
28 12 2 0 1543714304 Qwen/Qwen2.5-1.5B -Instruct Qwen/Qwen2.5-Coder-1.5B -Instruct Qwen/Qwen2.5-Math-1.5B -Instruct
48 40 8 0 14770033664 Qwen/Qwen2.5-14B -Instruct -Instruct-1M Qwen/Qwen2.5-Coder-14B -Instruct
64 40 8 0 32763876352 Qwen/Qwen2.5-32B -Instruct Qwen/Qwen2.5-Coder-32B -Instruct Qwen/QwQ-32B -Preview
36 16 2 0 3085938688 Qwen/Qwen2.5-3B -Instruct Qwen/Qwen2.5-Coder-3B -Instruct
80 64 8 0 72706203648 Qwen/Qwen2.5-72B -Instruct Qwen/Qwen2.5-Math-72B -Instruct
28 28 4 0 7615616512 Qwen/Qwen2.5-7B -Instruct -Instruct-1M Qwen/Qwen2.5-Coder-7B -Instruct Qwen/Qwen2.5-Math-7B -Instruct
28 16 8 0 596049920 Qwen/Qwen3-0.6B -Base
28 16 8 0 1720574976 Qwen/Qwen3-1.7B -Base
40 40 8 0 14768307200 Qwen/Qwen3-14B -Base
94 64 4 128 235093634560 Qwen/Qwen3-235B-A22B -Instruct-2507 -Thinking-2507
48 32 4 128 30532122624 Qwen/Qwen3-30B-A3B -Base -Instruct-2507 -Thinking-2507
64 64 8 0 32762123264 Qwen/Qwen3-32B
36 32 8 0 4022468096 Qwen/Qwen3-4B -Base -Instruct-2507 -Thinking-2507
36 32 8 0 8190735360 Qwen/Qwen3-8B -Base"""
