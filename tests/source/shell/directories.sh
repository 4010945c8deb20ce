#!/bin/bash
SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" >/dev/null 2>&1 && pwd)"
ROOT=$(git rev-parse --show-toplevel)
python "$SCRIPT_DIR/../train.py" --config "$SCRIPT_DIR/configs/a.yaml" --out $ROOT/out --cwd "$(pwd)/x" --here `pwd` --home ~/data
cd "$(dirname "$0")/.." || exit 1
trl grpo --config recipes/b.yaml --other ${SCRIPT_DIR%/*}/c.yaml
pushd third_party/trl > /dev/null
pip install -e .
popd
mkdir -p out && cd out && trl grpo --config ../recipes/c.yaml
cd -
cd "$ROOT"
trl rloo --config configs/*.yaml --last ./d.yaml
cd "$WORK"
trl rloo --config e.yaml
